import { inject, type RunnerTestCase, type TestContext } from 'vitest'
import type { SettingValues } from '../../settings/setting.ts'
import type { VariantOutcome } from '../../sweep/sweep.ts'
import { inTime } from '../../utils/wait.ts'
import type { SimulatorFixtures } from '../testing/fixtures.ts'
import { sweepFrom } from '../testing/sweep.ts'
import { TestRunner } from './runner.ts'

/** How a test fared against each plausible service, for the reporter. */
export interface SweptTest {
  /** Why the test was not swept, or null */
  readonly problem: string | null
  readonly settings: SettingValues
  readonly outcomes: readonly VariantOutcome[]
}

declare module 'vitest' {
  export interface ProvidedContext {
    understudySweep?: boolean
  }
  export interface TaskMeta {
    understudySweep?: SweptTest
  }
}

type Fixtures = Partial<SimulatorFixtures> & { readonly server?: unknown }

/** Why a test that has passed was not swept. */
const problems = {
  failing: 'it fails if it runs again without its hooks',
  flaky: 'it both passes and fails if it runs again without its hooks',
  interrupted: 'it was interrupted',
} as const

type Handler = (context: TestContext & Fixtures) => unknown

type Declare = (...declaration: unknown[]) => void

/**
 * Declares a test. If the reporter of sweeps is in use, the test also runs against each plausible service after it has
 * passed. Its hooks run once: each run starts with a copy of the simulator that they have prepared, and with their page.
 */
export function declareTest(declare: Declare, declaration: readonly unknown[]): void {
  const [name, ...parts] = declaration
  const handler = parts.find((part) => typeof part === 'function')
  declare(...declaration)
  if (!handler || !inject('understudySweep')) return
  // The timeout of a test is about one run. Vitest finds it in the test, its suites, its tags or the configuration, and
  // only for a declared test, whose function cannot be replaced (`TestRunner.setTestFn` of Vitest 4.1 is `getFn`). So the
  // test is declared twice.
  const { timeout } = TestRunner.getCurrentSuite().tasks.pop() as Partial<RunnerTestCase>
  const options = parts.find((part) => typeof part === 'object')
  declare(name, { ...options, timeout: 0 }, sweepable(handler as Handler, timeout ?? 0))
}

function sweepable(handler: Handler, timeout: number): Handler {
  const swept: Handler = async (context) => {
    const { simulator, simulatorOptions, task } = context
    const origin = simulator?.fork()
    const restorePage = keepPage()
    const startedAt = performance.now()
    const run = Promise.resolve(handler(context))
    const isLimited = timeout > 0 && timeout < Number.POSITIVE_INFINITY
    await (isLimited ? inTime(run, timeout, () => refuseLate(timeout)) : run)
    const ms = performance.now() - startedAt
    // A client in another process reaches only the server of the test.
    if (!origin || task.fails || context.server) return
    const inherited: object = Object.create(context)
    const { baseline, outcomes } = await sweepFrom(
      origin,
      ({ simulator, as }) => {
        restorePage()
        return handler(Object.assign(inherited, { simulator, as }) as typeof context)
      },
      { timeout: Math.max(5_000, 10 * ms) },
    )
    const { verdict, runs } = baseline
    if (verdict === 'no_requests') return
    const failure = runs.find((run) => run.failure !== null)?.failure ?? ''
    // A test that sets a setting is about this setting.
    const pinned = Object.keys(simulatorOptions?.settings ?? {})
    const isPinned = ({ variant }: VariantOutcome): boolean =>
      pinned.includes(Object.keys(variant.settings ?? {})[0] ?? '')
    task.meta.understudySweep = {
      problem: verdict === 'steady' ? null : `${problems[verdict]}${failure && `: ${failure}`}`,
      settings: origin.settings.values,
      outcomes: outcomes.filter((outcome) => !isPinned(outcome)),
    }
  }
  // Vitest reads the fixtures that a test uses from the text of its function, or from symbols that `test.for` adds.
  const { name: _, length: __, ...properties } = Object.getOwnPropertyDescriptors(handler)
  Object.defineProperties(swept, properties)
  return Object.defineProperty(swept, 'toString', { value: () => String(handler) })
}

/** Hooks empty the page of a simulated browser, and run once. @returns a function that restores what is in it now */
function keepPage(): () => void {
  if (typeof document === 'undefined') return () => {}
  const nodes = [...document.body.childNodes]
  return () => document.body.replaceChildren(...nodes)
}

function refuseLate(timeout: number): never {
  throw new Error(`Test timed out in ${timeout}ms.`)
}
