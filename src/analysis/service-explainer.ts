import { bodyLength } from '../http/messages.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { ExplainStep } from '../scenarios/run/run-scenario.ts'
import type { ExecutedStep } from '../scenarios/run/run-steps.ts'
import type { Target } from '../scenarios/run/target.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import { tryParseJson } from '../utils/foreign-json.ts'
import { isObject } from '../utils/json.ts'
import { isSameJson } from '../world/edit/row-json.ts'
import { numbersToTry } from './numbers-to-try.ts'
import type { SettingSearch, Settings, Trial, TrialResult } from './setting-search.ts'
import { tooLong, unknown } from './step-explainer.ts'

type Differences = StepResult['differences']

/** Replays a scenario in a new simulator. */
export type Simulate = (options: {
  readonly until: number
  readonly settings: SettingOverrides
  readonly decide: false
  readonly wrapTarget: (target: Target) => Target
}) => Promise<ReplayResult>

/** How to find the settings of a service that does not show them. */
export interface ServiceSearch {
  readonly simulate: Simulate
  /** Whether other rows of the service, or its clock, may explain the differences of a step, by its index */
  readonly mayHaveOtherRows?: (index: number, differences: Differences) => boolean
  /** Knows what replays of other scenarios on the service found */
  readonly search: SettingSearch
}

/**
 * Creates a function that finds the settings with which a simulation responds as another service did, and as expected otherwise. Those of
 * earlier steps are tried, too, since a write may have had another effect. No step that passed on the service may differ.
 */
export function createServiceExplainer({
  simulate,
  search,
  mayHaveOtherRows,
}: ServiceSearch): ExplainStep {
  return async (index, executed, _target, _consulted, earlier) => {
    if (mayHaveOtherRows?.(index, executed.differences)) {
      return unknown('the service may have other rows or another time than the scenario expects')
    }
    const respondWith = async (changes: Settings) => {
      /** Those of the latest request first */
      let consulted: readonly string[] = []
      let settings: Settings = {}
      let bytes = 0
      const wrapTarget = (target: Target): Target => ({
        ...target,
        // The world may lack the label of a key of the service.
        key: (label) => target.key(label) ?? target.key('all'),
        labels: () => null,
        async send(request) {
          const response = await target.send(request)
          const { settings: read = [] } = (await target.latest()) ?? {}
          consulted = [...new Set([...read.map(({ id }) => id), ...consulted])]
          settings = await target.settings()
          bytes = bodyLength(request.body ?? null) ?? 0
          return response
        },
      })
      const options = { until: index + 1, settings: changes, decide: false, wrapTarget } as const
      const { steps } = await simulate(options)
      return { steps, consulted, settings, bytes }
    }
    const { steps: expected, consulted, settings, bytes } = await respondWith({})
    if (expected[index]?.outcome !== 'passed') {
      return unknown('a simulation does not respond as expected either. It has other rows')
    }
    const isRefuted = ({ outcome }: StepResult, at: number): boolean =>
      outcome === 'failed' && earlier[at]?.outcome === 'passed'
    const run: Trial['run'] = async (changes) => {
      const { steps, consulted } = await respondWith(changes)
      const simulated = steps[index]
      if (!simulated || steps.some(isRefuted)) return { outcome: 'different' }
      return { outcome: compareResponses(simulated, executed), consulted }
    }
    const { status, text = '' } = executed.response ?? {}
    const shown = { bytes, status, page: tryParseJson(text)?.value }
    const numbers = numbersToTry(shown, settings)
    const trial = { cost: index + 1, consulted, settings, numbers, run, isOfService: true }
    const decided = await search.find(trial)
    if (decided === null) return unknown(tooLong)
    if (decided.length > 0) return { settings: [], decided_by: decided }
    return { ...unknown('no value makes a simulation respond like this'), unexplained: true }
  }
}

/** How alike a simulated response and that of a service are. The body of an error has the same form, or they differ. */
function compareResponses(simulated: ExecutedStep, actual: ExecutedStep): TrialResult['outcome'] {
  if (!isSameResponse(simulated.differences, actual.differences)) return 'different'
  const hasSameForm = errorFormOf(simulated) === errorFormOf(actual)
  if (hasSameForm && hasSameParts(simulated.differences, actual.differences)) return 'same'
  const isStatus = actual.differences.some(({ where }) => where === 'status')
  return hasSameForm || isStatus ? 'similar' : 'different'
}

/** The names of the fields of an error, if it has any. Null for a success. */
function errorFormOf({ response }: ExecutedStep): string | null {
  if (response === null || response.status < 400) return null
  const body = tryParseJson(response.text)?.value
  if (isObject(body)) return Object.keys(body).sort().join()
  return body === undefined ? `text ${response.text === ''}` : typeof body
}

/** Whether two responses differ from the expected one in the same parts, so that no further setting is needed. */
function hasSameParts(simulated: Differences, actual: Differences): boolean {
  const summarize = (differences: Differences) =>
    differences.map(({ where, got }) => (where === 'status' ? [where, got] : [where, typeof got]))
  return isSameJson(summarize(simulated), summarize(actual))
}

/** If the statuses differ, the same status is enough: texts and ids depend on the rows. */
function isSameResponse(simulated: Differences, actual: Differences): boolean {
  const statusOf = (differences: Differences) =>
    differences.find(({ where }) => where === 'status')?.got
  const status = statusOf(actual)
  if (status !== undefined) return statusOf(simulated) === status
  const summarize = (differences: Differences) =>
    differences.map(({ where, got = null, inLength }) => [where, inLength ? lengthOf(got) : got])
  return isSameJson(summarize(simulated), summarize(actual))
}

/** The rows of a list differ between services. */
function lengthOf(list: unknown): number | null {
  return Array.isArray(list) ? list.length : null
}
