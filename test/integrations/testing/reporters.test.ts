import { readFileSync } from 'node:fs'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import PlaywrightReporter from '../../../src/integrations/playwright/reporter.ts'
import { simulatorFixtures } from '../../../src/integrations/playwright/simulator-fixtures.ts'
import VitestReporter from '../../../src/integrations/vitest/reporter.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { temporaryFolder } from '../../support/files.ts'

interface Attachment {
  readonly name: string
  readonly body: Buffer
}

/** Runs a test with the fixtures of Playwright. Returns what it attached. */
async function runTest(run: (simulator: Simulator) => Promise<unknown>): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  const context = { route: async () => {}, on: () => {}, pages: () => [] }
  const [simulator] = simulatorFixtures.simulator
  await simulator(
    { context, simulatorOptions: {} } as never,
    async (value) => void (await run(value)),
    {
      titlePath: ['list.spec.ts', 'the list', 'shows rows'],
      file: `${process.cwd()}/tests/list.spec.ts`,
      line: 12,
      status: 'passed',
      expectedStatus: 'passed',
      attach: async (name, { body }) => void attachments.push({ name, body: Buffer.from(body) }),
    },
  )
  return attachments
}

test('the reporter of Playwright merges what tests attached, removes it, and names tests with mistakes', async () => {
  vi.stubEnv('UNDERSTUDY_USAGE_ATTACHED', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  const file = `${temporaryFolder()}/run.json`
  const send = async (simulator: Simulator) => {
    const headers = authorization()
    await simulator.fetch('/api/projects/1/annotations/1/', { method: 'DELETE', headers })
    await simulator.fetch('/api/project/')
  }

  const without = await runTest(send)
  const reporter = new PlaywrightReporter({ file, failOn: ['source'] })
  const results = [
    { attachments: await runTest(send) },
    { attachments: [{ name: 'shot.png', body: Buffer.from('') }, ...(await runTest(send))] },
  ]
  reporter.onBegin({}, { allTests: () => results.map((result) => ({ results: [result] })) })
  const end = await reporter.onEnd()

  expect(without).toEqual([])
  expect(end).toEqual({ status: 'failed' })
  expect(results.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
    [],
    ['shot.png'],
  ])
  const test = 'tests/list.spec.ts:12 > the list > shows rows'
  const details = expect.arrayContaining([
    expect.stringContaining(`entry 1 of ${test}: 405 DELETE`),
  ])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    requests: 4,
    unmatched: 2,
    mistakes: [{ rule: 'swallowed-delete', tests: [test], details }],
  })
  expect(printed.mock.lastCall?.[0]).toMatch(/^ {2}Requests: 4\.$/m)
})

test.each([
  [
    { file: 'package.json/run.txt' },
    'Failed to write package.json/run.txt: part of its path is a file (ENOTDIR). Choose another file.',
  ],
  [
    { mistakes: 'loud' as 'fail' },
    'Failed to read the options of the reporter: mistakes: expected one of "off", "print", "fail", got "loud".',
  ],
])('reporters refuse %j before tests run', (options, message) => {
  expect(() => new VitestReporter(options)).toThrow(message)
  expect(() => new PlaywrightReporter(options)).toThrow(message)
})
