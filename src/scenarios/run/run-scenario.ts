import type { Exchange } from '../../http/exchange.ts'
import type { PolicyOverrides, Profile } from '../../policies/settings.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Sandboxes } from '../../sandbox/sandboxes/sandboxes.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import { uncheckedFields } from '../../world/world-format.ts'
import { findKeyIssues, parseScenario, scenarioError } from '../format/check-scenario.ts'
import type { Scenario } from '../format/scenario.ts'
import { type RecordedStart, recordTarget } from '../recording/record-target.ts'
import type { StepSink } from '../recording/run-recorder.ts'
import { findDecidingPolicies } from './deciding-policies.ts'
import { observeTarget } from './observe.ts'
import type { ReplayResult, StepResult } from './result.ts'
import { runSteps, type StepRange } from './run-steps.ts'
import { createLocalTarget } from './simulator-target.ts'
import type { Target } from './target.ts'

/** How a scenario is replayed. */
export interface ReplayOptions {
  /** A step, by its number from 1 or its title: those before it are carried out, and it alone is compared. */
  readonly only?: number | string
  /** The last step, by its number from 1 or its title. */
  readonly until?: number | string
  /** In place of the scenario's own. */
  readonly profile?: Profile
  /** Besides the scenario's own, which they win over. */
  readonly policies?: PolicyOverrides
  /** Whether the policies that decide the first difference are looked for, by trying others; they are by default. */
  readonly decide?: boolean
  /**
   * Told how the world begins, and gives where each step goes as it was carried out: with the exact answer, and
   * with nothing left to save.
   */
  readonly record?: (beginning: RecordedStart) => StepSink
  /** Told of each request and its answer, keys and all. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Told of each step when it has been run; the next one waits for what it gives. */
  readonly onStep?: (result: StepResult) => unknown
}

/**
 * Replays a scenario that was checked, in a world that is made for it.
 *
 * @param open makes one
 * @throws UsageError for a key or a step that is not there, UnreachableError where nothing answers
 */
export async function runScenario(
  scenario: Scenario,
  open: () => Promise<Target>,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const range = resolveRange(scenario, options)
  let index = -1
  const opened = observeTarget(await open(), options.onExchange)
  let isFirst = options.decide ?? true
  try {
    const titleOf = () => scenario.steps[index]?.title
    const target = options.record
      ? await recordTarget(opened, scenario, options.record, titleOf)
      : opened
    const faults = findKeyIssues(scenario.steps, (label) => target.key(label) !== undefined)
    if (faults.length > 0) throw scenarioError(faults)
    return await runSteps(scenario, target, range, {
      before: (at) => {
        index = at
      },
      async explain(at) {
        const consulted = await target.policies()
        const trial = { scenario, index: at, consulted, settings: await target.settings(), open }
        const decided_by = isFirst ? await findDecidingPolicies(trial) : []
        isFirst = false
        return { policies: consulted.map(({ id }) => id), decided_by }
      },
      ...(options.onStep && { after: options.onStep }),
    })
  } finally {
    await opened.close()
  }
}

function resolveRange({ steps }: Scenario, { only, until }: ReplayOptions): StepRange {
  const last = until === undefined ? steps.length - 1 : findStepIndex(steps, until, 'until')
  if (only === undefined) return { first: 0, last }
  const first = findStepIndex(steps, only, 'only')
  return { first, last: first }
}

/** @throws UsageError for a step that is not there */
function findStepIndex(steps: Scenario['steps'], wanted: number | string, field: string): number {
  const byTitle = steps.findIndex(({ title }) => title === wanted)
  const index = byTitle >= 0 ? byTitle : Number(wanted) - 1
  if (Number.isInteger(index) && index >= 0 && index < steps.length) return index
  const titles = steps.flatMap(({ title }) => title ?? [])
  const expected = `the title of a step, or its number from 1 to ${steps.length}`
  throw unexpectedValue('replay', expected, wanted, didYouMean(String(wanted), titles), field)
}

/** How the world of a replay begins. What is missing is as it is now. */
export type ScenarioSetup = Pick<Scenario, 'world' | 'seed' | 'profile' | 'policies' | 'clock'>

/** What the world of a replay begins with. */
export function resolveSetup(scenario: Scenario, options: ReplayOptions): ScenarioSetup {
  const { world, seed, clock } = scenario
  const profile = options.profile ?? scenario.profile
  const policies = { ...scenario.policies, ...options.policies }
  return {
    policies,
    ...(world !== undefined && { world }),
    ...(seed !== undefined && { seed }),
    ...(profile !== undefined && { profile }),
    ...(clock !== undefined && { clock }),
  }
}

/** The rows that it begins with: those of a name, or of a world, or as they are now. @throws UsageError */
export function loadSetupWorld(
  { world }: ScenarioSetup,
  sandbox: Sandbox,
  sandboxes: Pick<Sandboxes<unknown>, 'loadSource'>,
): LoadedWorld {
  if (world === undefined) return sandbox.snapshot()
  if (typeof world === 'string') return sandboxes.loadSource(world)
  return loadWorld(world, uncheckedFields(sandbox.policyTracker.untracked))
}

/**
 * Replays a scenario in this process, in worlds of its own.
 *
 * @param fork makes such a world
 * @param baseUrl where the API begins in it
 * @throws UsageError with every fault of the scenario
 */
export async function runInSimulator(
  given: Scenario,
  options: ReplayOptions,
  fork: (beginning: ScenarioSetup) => SimulatorBase,
  baseUrl: string,
): Promise<ReplayResult> {
  const scenario = parseScenario(given)
  const beginning = resolveSetup(scenario, options)
  return runScenario(scenario, () => createLocalTarget(fork(beginning), baseUrl), options)
}
