import { aroundEach, inject, test as plain, type TaskMeta, type TestAPI, TestRunner } from 'vitest'
import { describeLatestRequests } from '../../report/failed-requests.ts'
import { mergeUsage, type RunUsage } from '../../report/usage.ts'
import type { RunningServer } from '../../server/running-server.ts'
import { mergeFindings } from '../../utils/reports/merge-findings.ts'
import type { RequestFinding } from '../../utils/reports/report.ts'
import {
  createAs,
  printMistakes,
  type SimulatorFixtures,
  TestedClient,
} from '../testing/fixtures.ts'
import { interception } from '../testing/interception.ts'

/** Declares a test as Vitest does. The hook is added here, since this module can be shared by several test files. */
const collector: TestAPI = TestRunner.createTaskCollector(function (
  this: ThisParameterType<TestAPI['fn']>,
  ...declaration: Parameters<TestAPI['fn']>
) {
  interceptSuite()
  plain.fn.apply(this, declaration)
})

/** The mistakes in tests of a file that passed, which are printed at its end. With the reporter, it prints them. */
const ofFile = collector.extend(
  'mistakesOfFile',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from it.
  ({}, { onCleanup }: { onCleanup(run: () => void): void }) => {
    const mistakes: RequestFinding[] = []
    onCleanup(() =>
      printMistakes(mistakes, "test.override({ simulatorOptions: { mistakes: 'fail' } })"),
    )
    return mistakes
  },
)

/**
 * Vitest's `test` with a new simulator for each test and its hooks, which intercepts requests to any origin of `fetch`,
 * `node:http` and the clients that use these. Requests to other APIs reach your own handlers: those of `simulator.use` and of
 * the option `handlers`, then those of a server of MSW that the project starts, whose `onUnhandledRequest` counts. Without
 * such a server, they go through to this machine, and fail elsewhere. If a test fails, but for a `UsageError`, its latest
 * requests are printed.
 *
 * @example
 * const test = base.extend({ simulatorOptions: { world: 'empty' } }) // in a suite: test.override
 * test('lists no rows', async ({ as }) => {
 *   const url = 'https://app.example.com/api/projects/1/annotations/'
 *   const response = await fetch(url, { headers: as('all').headers })
 * })
 */
export const test: TestAPI<VitestFixtures> = ofFile.extend<VitestFixtures>({
  simulatorOptions: {},
  simulator: async ({ simulatorOptions, task, onTestFailed, mistakesOfFile }, use) => {
    const client = new TestedClient(simulatorOptions)
    const { simulator } = client
    simulator.name = task.fullName
    let failure: Error | null = null
    onTestFailed(() => {
      if (task.fails || task.result?.errors?.[0]?.name === 'UsageError') return
      // The error lists the mistakes.
      console.error(describeLatestRequests(simulator, failure ? [] : undefined))
    })
    await use(simulator)
    // Vitest tears down after all hooks.
    const hasPassed = !task.fails && task.result?.state !== 'fail'
    const isReported = inject('understudyReport')
    if (isReported) saveUsage(task.meta, client.usage)
    failure = hasPassed ? client.failure : null
    if (failure) throw failure
    if (hasPassed && !isReported) mergeFindings(mistakesOfFile, client.usage.mistakes)
  },
  as: ({ simulator }, use) => use(createAs(simulator)),
  server: async ({ simulator }, use) => {
    // Loaded on demand, because few tests need Express.
    const { listen } = await import('../../server/listen.ts')
    const server = await listen(simulator)
    await use(server)
    await server.close()
  },
}) as unknown as TestAPI<VitestFixtures>

/** The fixtures of a test in Vitest. */
export interface VitestFixtures extends SimulatorFixtures {
  /**
   * Serves the simulator of the test on a free port, for clients in other processes. It starts if a test uses it, and is
   * closed after the test.
   */
  server: RunningServer
}

/** Marks a suite, or a file, that already has the hook. */
const interceptedMark: unique symbol = Symbol('understudy-api/vitest')

/** Adds a hook to the suite that is being collected, or to the file: its tests run with their simulator's handlers. */
function interceptSuite() {
  const { suite, file } = TestRunner.getCurrentSuite()
  const scope = suite ?? file
  if (interceptedMark in scope) return
  Object.defineProperty(scope, interceptedMark, { value: true })
  aroundEach<Partial<SimulatorFixtures>>(async (run, { simulator }) => {
    // Tests of another `test` function have no simulator. In a nested suite, the hook of the outer one ran already.
    if (!simulator || interception.isActive(simulator)) return run()
    await interception.run(simulator, run)
  })
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `understudy-api/vitest/reporter` is one of the reporters */
    understudyReport?: boolean
  }
  interface TaskMeta {
    understudy?: RunUsage
  }
}

function saveUsage(meta: TaskMeta, usage: RunUsage) {
  // An earlier attempt of the same test.
  if (meta.understudy) mergeUsage(usage, meta.understudy)
  meta.understudy = usage
}
