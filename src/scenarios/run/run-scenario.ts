import type { Profile } from '../../settings/profiles.ts'
import type { SettingOverrides } from '../../settings/resolve.ts'
import { didYouMean, unexpectedValue } from '../../utils/errors.ts'
import { type OptionTypes, option } from '../../utils/options.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { findKeyIssues, type ParsedScenario, runError } from '../format/check-scenario.ts'
import type { Scenario } from '../format/scenario.ts'
import type { RunResult, StepResult } from './result.ts'
import { runSteps, type StepRange } from './run-steps.ts'
import type { Sender } from './sender.ts'

/** How a scenario runs. */
export interface RunOptions {
  /** The step to compare, by its number from 1 or its title. Earlier steps are executed, but not compared. */
  readonly only?: number | string
  /**
   * The world of a scenario that names none: rows, or the name of a fixture or a snapshot. By default the current rows of
   * the simulator, or with `runAt` the rows that the server started with.
   */
  readonly world?: string | WorldJson
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Added to the settings of the scenario. They take precedence. */
  readonly settings?: SettingOverrides
  /** Whether the scenario is only checked: no step runs, and the result has none. False by default. */
  readonly dry_run?: boolean
  /** Whether to search for the settings that decide the differences. True by default. */
  readonly decide?: boolean
  /** Wraps the sender before the first step, for example to follow its requests. @internal */
  readonly wrapSender?: (sender: Sender) => Sender | Promise<Sender>
  /** Called with the result of each step. The next step waits for the returned promise. */
  readonly onStep?: (result: StepResult) => unknown
}

export const runOptions: OptionTypes<RunOptions> = {
  only: ['the title of a step, or its number', (value) => /^(string|number)$/.test(typeof value)],
  world: option.any,
  profile: option.any,
  settings: option.any,
  dry_run: option.flag,
  decide: option.flag,
  wrapSender: option.callback,
  onStep: option.callback,
}

/** Options of `simulator.run`. */
export interface SimulatorRunOptions extends RunOptions {
  /**
   * Whether the steps run in this simulator instead of a world of their own, as a recorded client would. Its rows and its
   * journal change. Its world, settings, clock and faults are its own: the setup and the faults of the scenario are left
   * out. False by default.
   */
  readonly in_place?: boolean
}

export const simulatorRunOptions: OptionTypes<SimulatorRunOptions> = {
  ...runOptions,
  in_place: option.flag,
}

/** The settings that decide why a step fails. */
export type Decision = Pick<StepResult, 'decided_by' | 'undecided'>

/** Finds the settings that decide why a step fails. @param earlier the results of the steps before it */
export type ExplainStep = (index: number, earlier: readonly StepResult[]) => Promise<Decision>

/**
 * @param explain for `decide`
 * @throws UsageError for an unknown key or step, UnreachableError if no server responds
 */
export async function runScenario(
  scenario: ParsedScenario,
  open: () => Promise<Sender>,
  options: RunOptions = {},
  explain?: ExplainStep,
): Promise<RunResult> {
  const range = resolveRange(scenario, options)
  const opened = await open()
  try {
    const sender = (await options.wrapSender?.(opened)) ?? opened
    const issues = findKeyIssues(scenario.steps, sender.labels())
    if (issues.length > 0) throw runError(issues)
    if (options.dry_run) {
      return { title: scenario.title, passed: true, base_url: sender.baseUrl, ms: 0, steps: [] }
    }
    return await runSteps(scenario, sender, range, {
      async explain(index, earlier) {
        const entry = await sender.latest()
        const { settings = [], reason = null, ignored = [] } = entry ?? {}
        const consulted = settings.map(({ id }) => id)
        const reasons = [reason ?? [], ignored.map((input) => `ignored: ${input}`)].flat()
        const decision = options.decide === false ? null : await explain?.(index, earlier)
        return { settings: consulted, decided_by: [], ...decision, ...(entry && { reasons }) }
      },
      ...(options.onStep && { after: options.onStep }),
    })
  } finally {
    await opened.close()
  }
}

function resolveRange({ steps }: Scenario, { only }: RunOptions): StepRange {
  if (only === undefined) return { first: 0, last: steps.length - 1 }
  const index = findStepIndex(steps, only)
  return { first: index, last: index }
}

function findStepIndex(steps: Scenario['steps'], step: number | string): number {
  const byTitle = steps.findIndex(({ title }) => title === step)
  const index = byTitle >= 0 ? byTitle : Number(step) - 1
  if (Number.isInteger(index) && index >= 0 && index < steps.length) return index
  const titles = steps.flatMap(({ title }) => title ?? [])
  const expected = `the title of a step, or its number from 1 to ${steps.length}`
  throw unexpectedValue(
    'run the scenario',
    expected,
    step,
    didYouMean(String(step), titles),
    'only',
  )
}

/** The initial state of a run. Missing fields default to the current state. */
export type ScenarioSetup = Pick<Scenario, 'world' | 'seed' | 'profile' | 'settings' | 'clock'>

export function resolveSetup(scenario: Scenario, options: RunOptions): ScenarioSetup {
  const { world = options.world, seed, clock } = scenario
  const profile = options.profile ?? scenario.profile
  const settings = { ...scenario.settings, ...options.settings }
  return {
    settings,
    ...(world !== undefined && { world }),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { profile }),
    ...(clock !== undefined && { clock }),
  }
}
