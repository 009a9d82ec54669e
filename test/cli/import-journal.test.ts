import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type JournalEntry } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'
import { initOf } from '../support/transports/client.ts'

/** The journal of a client whose create was carried out, although its response was lost. */
async function journalOfLostCreate(): Promise<readonly JournalEntry[]> {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const effect = { drop: true } as const
  const when = { times: 1 }
  simulator.faults.add({ operation: 'createAnnotation', when, phase: 'after-commit', effect })
  const create = () =>
    simulator.fetch(annotationsPath, initOf('POST', { body: { content: 'Launch' } }))
  await create().catch(() => {})
  await create()
  await simulator.fetch(annotationsPath, initOf('GET', {}))
  return simulator.journal.find()
}

const inLines = (entries: readonly object[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\r\n\n`).join('')

test.each([
  ['is a list', JSON.stringify],
  ['has a line for each entry, and blank ones', inLines],
])('a journal that %s becomes a scenario with the name of what failed', async (_, format) => {
  const folder = temporaryFolder()
  const [file, out] = [join(folder, 'journal.json'), join(folder, 'story.json')]
  writeFileSync(file, `\uFEFF${format(await journalOfLostCreate())}`)

  const { code, stdout } = await run(['import', file, '--as', 'node', '--out', out])

  expect([code, stdout.split('\n')[0]]).toEqual([0, `${out}: 3 requests.`])
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
    title: 'Create annotation: response lost after the write, and the retry made a duplicate',
    steps: [
      { fault: { operation: 'createAnnotation', effect: { drop: true } } },
      { method: 'POST', path: annotationsPath, expect: { broken: true } },
      { method: 'POST', path: annotationsPath, expect: { status: 201 } },
      { method: 'GET', path: annotationsPath, expect: { status: 200 } },
    ],
  })
})

test('a form in a journal is sent as a form', async () => {
  const simulator = createSimulator({ profile: 'live' })
  const body = new URLSearchParams({ content: 'Launch & more', scope: 'project' })
  await simulator.fetch(annotationsPath, initOf('POST', { raw: body }))
  const file = join(temporaryFolder({ 'journal.json': simulator.journal.find() }), 'journal.json')

  const { code, stdout } = await run(['import', file])

  expect(code).toBe(0)
  expect(JSON.parse(stdout).steps).toMatchObject([
    { method: 'POST', text: `${body}`, expect: { status: 201 } },
  ])
})

test('a body that a journal did not keep is omitted, and no text', async () => {
  const simulator = createSimulator({ journal: { body: 10 } })
  await simulator.fetch(annotationsPath, initOf('GET', {}))
  const file = join(temporaryFolder({ 'journal.json': simulator.journal.find() }), 'journal.json')

  const { stdout } = await run(['import', file])

  const [step] = JSON.parse(stdout).steps
  expect(step.expect).toEqual({ status: 200 })
})

test('the scenario of a journal is in the working directory, and never in place of the journal', async () => {
  const journal = await journalOfLostCreate()
  const [own, other] = [temporaryFolder({ 'run.json': journal }), temporaryFolder()]
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  const codes: unknown[] = []

  for (const folder of [own, other]) {
    process.chdir(folder)
    const file = folder === own ? 'run.json' : join(own, 'run.json')
    codes.push((await run(['import', file, '--as', 'vitest'])).code)
  }

  const scenario = ['run.scenario.json', 'run.scenario.test.ts']
  expect([codes, readdirSync(own).sort()]).toEqual([
    [0, 0],
    ['run.json', ...scenario],
  ])
  expect(readdirSync(other).sort()).toEqual(['run.json', 'run.test.ts'])
  expect(JSON.parse(readFileSync(join(own, 'run.json'), 'utf8'))).toHaveLength(3)
})

test('flags of archives are refused for a journal, and an invalid journal is not read', async () => {
  const folder = temporaryFolder({
    'journal.json': await journalOfLostCreate(),
    'other.json': [{ id: 1 }],
  })
  const file = join(folder, 'journal.json')

  expect(await run(['import', file, '--base', 'https://a.test'])).toEqual(
    badUse(`--base is about HAR archives. ${file} is a journal.\n`),
  )
  expect(await run(['import', join(folder, 'other.json')])).toEqual(
    badUse(expect.stringMatching(/other\.json is not a valid journal: \d+ problems?\./)),
  )
})
