import { type RecordedStart, recordTarget } from '../bundles/beginning.ts'
import type { StepSink } from '../bundles/run-recorder.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { Exchange } from '../recordings/exchange.ts'
import { didYouMean, unexpectedValue } from '../usage-error.ts'
import { scenarioError } from './check.ts'
import { findKeyIssues } from './check-keys.ts'
import { findDecidingPolicies } from './decide.ts'
import { observeTarget } from './overheard.ts'
import { runSteps, type StepRange } from './play.ts'
import type { ReplayResult, StepResult } from './result.ts'
import type { Scenario } from './scenario.ts'
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
