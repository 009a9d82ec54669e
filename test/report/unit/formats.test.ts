import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RunReporter, type RunReportOptions } from '../../../src/report/run-reporter.ts'
import { emptyUsage, followRun, type RunUsage } from '../../../src/report/usage.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { temporaryFolder } from '../../support/files.ts'

type Request = readonly [method: string, path: string, body?: string]

/** What a client uses that sends some requests. */
async function usageOf(requests: readonly Request[]) {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const usage = followRun(simulator)
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  for (const [method, path, body] of requests) {
    const url = `/api/projects/1/annotations/${path}`
    await simulator.fetch(url, { headers, method, ...(body !== undefined && { body }) })
  }
  return { usage: usage(), report: await simulator.report() }
}

/** A client that lists a page, creates a row with a wrong field, and deletes a row. */
const client: readonly Request[] = [
  ['GET', '?limit=6'],
  ['POST', '', '{"contnt":"<b>","scope":"project"}'],
  ['DELETE', '1/'],
]

const finish = (usage: RunUsage, options: RunReportOptions = {}) =>
  new RunReporter(options).finish([usage], 'client')

/** The last lines, which say why the run fails. */
async function failuresOf(usage: RunUsage, mistakes: 'print' | 'fail', ...failOn: string[]) {
  const { lines, hasFailed } = await finish(usage, { mistakes, failOn })
  const failures = lines.filter((line) => line.startsWith('The run '))
  expect(hasFailed).toBe(failures.length > 0)
  return failures
}

test('the whole report of a small run', async () => {
  const { usage, report } = await usageOf(client)

  const { lines } = await finish(usage)

  const { settings, ...rest } = report
  const texts = settings.map((setting) => JSON.stringify({ ...setting, question: undefined }))
  const all = [...lines, '', ...texts, JSON.stringify(rest, null, 2), '']
  await expect(all.join('\n')).toMatchFileSnapshot('./small-run.outline.txt')
})

test('a note does not fail a run, also one of a rule for mistakes', async () => {
  const { usage } = await usageOf([
    ['PATCH', '1/', '{"id":1,"content":"whole row"}'],
    ['POST', '', '{"scope":"none"}'],
  ])

  expect(usage.mistakes).toMatchObject([{ rule: 'ignored-input' }, { rule: 'unhandled-refusal' }])
  expect(await failuresOf(usage, 'fail')).toEqual([])
  expect(await failuresOf(usage, 'fail', 'unhandled-refusal')).toHaveLength(1)
})

test('the cases of a run are its rules: those that fail it, those that were broken, and the others', async () => {
  const { usage } = await usageOf(client)
  const folder = temporaryFolder()
  const file = ['run.xml', 'run.txt'].map((name) => join(folder, name))
  await finish({ ...usage, not_covered: 1 }, { file, failOn: 'ignored-input' })
  const [xml = '', text = ''] = file.map((name) => readFileSync(name, 'utf8'))
  const problemOf = (rule: string) =>
    new RegExp(`<testcase name="${rule}"[^>]*>(?:<(\\w+))?`).exec(xml)?.[1]

  expect(['ignored-input', 'assumed', 'undone-change'].map(problemOf)).toEqual([
    'failure',
    'skipped',
    undefined,
  ])
  expect(xml).not.toContain('Only documented')
  expect(text).toContain('Requests: 3. Not covered: 1 earlier request.')
})

test('a run fails by what it names, and says for what nothing was checked', async () => {
  const { usage } = await usageOf(client)

  expect(await failuresOf(usage, 'print')).toEqual([])
  expect(await failuresOf(usage, 'fail')).toContainEqual(
    expect.stringContaining('fails for ignored-input'),
  )
  expect(await failuresOf(usage, 'print', 'assumed')).toEqual([
    expect.stringMatching(/assumed\. Only .* \(and \d+ more\)$/),
  ])
  expect(await failuresOf(emptyUsage(), 'fail', 'assumed')).toContain(
    'The run fails: nothing was checked for mistakes, assumed.',
  )
})

test('reporters refuse unknown rules, and print mistakes unless they are off', async () => {
  const { usage } = await usageOf(client)

  expect(() => new RunReporter({ failOn: 'asumed' })).toThrow(/Did you mean assumed/)
  expect((await finish(usage)).lines.join()).toMatch(/ignored-input.*Requests: 3\.$/)
  expect((await finish(usage, { mistakes: 'off' })).lines).toEqual(['Requests: 3.'])
})
