import { readFileSync } from 'node:fs'
import process from 'node:process'
import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import PlaywrightReporter from '../../../src/integrations/playwright/reporter.ts'
import { simulatorFixtures } from '../../../src/integrations/playwright/simulator-fixtures.ts'
import VitestReporter from '../../../src/integrations/vitest/reporter.ts'
import SweepReporter from '../../../src/integrations/vitest/sweep.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'
import { temporaryFolder } from '../../support/files.ts'

interface Attachment {
  readonly name: string
  readonly body: Buffer
}

/** Runs a test with the fixtures of Playwright. Returns what it attached. */
async function runTest(run: (simulator: Simulator) => Promise<unknown>): Promise<Attachment[]> {
  const attachments: Attachment[] = []
  const context = { route: async () => {}, unroute: async () => {}, on: () => {}, off: () => {} }
  const [simulator] = simulatorFixtures.simulator
  await simulator(
    { context, simulatorOptions: {}, mistakesOfWorker: [] } as never,
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

const list = ({ fetch, defaults }: Simulator, simulator: Simulator) =>
  fetch.call(simulator, '/api/projects/1/annotations/', {
    headers: { authorization: `Bearer ${defaults.key}` },
  })

test('the reporter of Playwright merges what tests attached, and removes it', async () => {
  vi.stubEnv('UNDERSTUDY_USAGE_ATTACHED', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  const file = `${temporaryFolder()}/run.json`
  const send = async (simulator: Simulator) => {
    await list(simulator, simulator)
    await simulator.fetch('/api/project/')
  }

  const without = await runTest(send)
  const reporter = new PlaywrightReporter({ file, failOn: ['observed'] })
  const results = [
    { attachments: await runTest(send) },
    { attachments: [{ name: 'shot.png', body: Buffer.from('') }, ...(await runTest(send))] },
  ]
  reporter.onBegin({}, { allTests: () => results.map((result) => ({ results: [result] })) })
  const end = reporter.onEnd()

  expect(without).toEqual([])
  expect(end).toEqual({ status: 'failed' })
  expect(results.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
    [],
    ['shot.png'],
  ])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ requests: 4, unmatched: 2 })
  expect(printed.mock.lastCall?.[0]).toMatch(/^ {2}Requests: 4\.$/m)
})

test('a mistake in a test of Playwright names the test', async () => {
  const file = `${temporaryFolder()}/run.json`
  vi.spyOn(console, 'log').mockReturnValue()
  vi.stubEnv('UNDERSTUDY_USAGE_ATTACHED', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const reporter = new PlaywrightReporter({ file })

  const attachments = await runTest((simulator) =>
    simulator.fetch('/api/projects/1/annotations/1/', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${simulator.defaults.key}` },
    }),
  )
  reporter.onBegin({}, { allTests: () => [{ results: [{ attachments }] }] })
  reporter.onEnd()

  const { mistakes } = JSON.parse(readFileSync(file, 'utf8'))
  const test = 'tests/list.spec.ts:12 > the list > shows rows'
  expect(mistakes[0]).toMatchObject({
    tests: [test],
    details: [expect.stringContaining(`entry 1 of ${test}: 405 DELETE`)],
  })
})

test.each([
  [
    { file: 'package.json/run.html' },
    'Failed to write package.json/run.html: part of its path is a file (EEXIST). Choose another file.',
  ],
  [
    { mistakes: 'loud' as 'fail' },
    'Failed to read the options of the reporter: expected mistakes as one of off, print, fail, got "loud".',
  ],
])('reporters refuse %j before tests run', (options, message) => {
  expect(() => new VitestReporter(options)).toThrow(message)
  expect(() => new PlaywrightReporter(options)).toThrow(message)
})

test.each([
  [VitestReporter, { fiel: 'run.html' }, 'unknown option "fiel". Did you mean "file"?'],
  [SweepReporter, { file: 'run.html' }, 'unknown option "file". Did you mean "failOn"?'],
  [SweepReporter, { failOn: 'contradictd' }, 'got "contradictd". Did you mean contradicted?'],
])('%o refuses %j in one line', (Reporter, options, message) => {
  let printed = ''
  try {
    new Reporter(options as never)
  } catch (error) {
    printed = inspect(error)
  }

  expect(printed).toContain(message)
  expect(printed.split('\n')).toHaveLength(1)
})
