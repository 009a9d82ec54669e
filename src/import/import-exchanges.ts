import { settingsOfTraffic, type TrafficSettings } from '../fit/settings-of-traffic.ts'
import type { Exchange } from '../http/exchange.ts'
import { type ParsedScenario, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import type { StepWarning } from '../scenarios/recording/step-warnings.ts'
import { describeFailedSteps, type RunResult } from '../scenarios/run/result.ts'
import { type ImportOptions, scenarioFromTraffic, type TrafficScenario } from './from-traffic.ts'
import { withoutUnknownFields } from './unknown-fields.ts'

/** Runs a scenario in its own world, without a search for deciding settings. */
type RunScenario = (scenario: ParsedScenario) => Promise<RunResult>

/** A scenario that was made of traffic, and replayed. */
export interface ImportedScenario extends TrafficScenario {
  /** The steps that do not replay as recorded */
  readonly differing: readonly StepWarning[]
}

/**
 * Makes a scenario of requests and responses, with the world and the settings that they show. It does not expect fields
 * that only the service has.
 */
export async function importExchanges(
  exchanges: readonly Exchange[],
  options: ImportOptions,
  run: RunScenario,
): Promise<ImportedScenario> {
  const { fitted, ...derived } = await deriveTraffic(exchanges, options)
  const { steps, ...head } = derived.scenario
  if (!steps.some(isRequestStep)) return { ...derived, differing: [] }
  const { profile, settings } = fitted ?? (await settingsOfTraffic(derived.scenario))
  const scenario = parseScenario({
    ...head,
    ...(profile !== 'documented' && { profile }),
    ...(Object.keys(settings).length > 0 && { settings }),
    steps,
  })
  const known = withoutUnknownFields(scenario, await run(scenario))
  return {
    ...derived,
    scenario: known.scenario,
    warnings: [...derived.warnings, ...known.warnings.map((text) => ({ text, steps: [] }))],
    differing: describeFailedSteps({ steps: known.differing }),
  }
}

/** Traffic as a scenario, with the settings that were fitted to all of its steps, if they are known. */
type DerivedTraffic = TrafficScenario & { readonly fitted?: TrafficSettings }

/**
 * Finds rows and settings in turns: what a setting of the service explains, nobody else did. A scenario of traffic with the
 * settings that leave least to others.
 */
export async function deriveTraffic(
  exchanges: readonly Exchange[],
  options: ImportOptions = {},
): Promise<DerivedTraffic> {
  let best: DerivedTraffic = await scenarioFromTraffic(exchanges, options)
  const costOf = ({ edits, unexplained }: TrafficScenario): number => edits.length + unexplained
  while (costOf(best) > 0) {
    const { scenario, edits } = best
    const steps = scenario.steps.filter((_, index) => !edits.includes(index))
    const settings = await settingsOfTraffic({ ...scenario, steps })
    if (edits.length === 0) best = { ...best, fitted: settings }
    const next = await scenarioFromTraffic(exchanges, { ...options, ...settings })
    if (costOf(next) >= costOf(best)) break
    best = next
  }
  return best
}
