import type { Exchange } from '../../http/exchange.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { FaultPhase, FaultRule } from '../../simulator/faults/fault.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { type ClockSetting, formatIsoTime } from '../../world/clock/clock.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type ChangeStep, isRequestStep, type Scenario } from '../format/scenario.ts'
import { KeyLabeler } from '../recording/hide.ts'
import {
  type Recorded,
  type RecorderOptions,
  type RecordingHead,
  recordSteps,
  toScenarioHead,
} from '../recording/recorder.ts'
import { lacksKey, withSentFields, withUnknownKey } from './complete-exchanges.ts'
import { inProcessedOrder, measureSkew, startOf } from './order.ts'
import { editsBefore, type Plan, type SeenLists } from './plan.ts'
import { explainTraffic } from './repairs.ts'
import { RowsSeen } from './rows-seen.ts'
import { isUsual, readSighting, type Sighting } from './sighting.ts'
import { describeTwins } from './twins.ts'
import { waitsBefore } from './waits.ts'
import { buildWorld, type SeenWorld } from './world-seen.ts'

/** Puts ids in place of `@current` in paths, so that its rows are among those of the project or organization. */
function resolveCurrent(sightings: readonly Sighting[]): Sighting[] {
  const successes = sightings.filter(({ status }) => status >= 200 && status < 300)
  const projects = successes.flatMap(({ operation, params, rows }) =>
    operation === 'listProjects'
      ? rows.map(({ id }) => Number(id))
      : (parseInteger(params.project_id ?? '') ?? []),
  )
  const [project = 1] = projects.sort((a, b) => a - b)
  const [organization] = successes
    .filter(({ params }) => params.organization_id === '@current')
    .flatMap(({ rows }) => rows.flatMap((row) => parseUuid(String(row.organization_id)) ?? []))
  const ids: Readonly<Record<string, string | undefined>> = {
    project_id: String(project),
    organization_id: organization,
  }
  return sightings.map((sighting) => {
    const params = Object.entries(sighting.params).map(([name, value]) => {
      return [name, (value === '@current' && ids[name]) || value]
    })
    return { ...sighting, params: Object.fromEntries(params) }
  })
}

/** The name of the scenario of an imported file. @example scenarioFileOf('incident.har') // 'incident.json' */
export function scenarioFileOf(name: string): string {
  return `${name.replace(/\.(?:har|json)$/i, '')}.json`
}

/** A scenario that was made of traffic. */
export interface TrafficScenario {
  /** Without steps if no step can send any of the requests */
  readonly scenario: Scenario
  /** What the scenario leaves out, and what in it is made up, in sentences */
  readonly warnings: readonly string[]
  /** The exchanges without secrets, safe to print and to store */
  readonly exchanges: readonly Exchange[]
  /** The index of the exchange that each request step sends, by the index of the step */
  readonly exchangeOf: ReadonlyMap<number, number>
  /** The indexes of the steps that others may have taken */
  readonly edits: readonly number[]
}

interface TrafficOptions extends RecorderOptions, RecordingHead {
  /** Whether to add what others may have changed if the settings are those of another profile */
  readonly doubtsSettings?: boolean
}

/**
 * Makes a scenario of requests and responses, with the world that they need, the faults that they met, and what others
 * did between them. A replay decides what happened, where the responses leave it open. `world` is a known world.
 *
 * @example const { scenario } = await scenarioFromTraffic(exchanges, { title: 'A lost response' })
 */
export async function scenarioFromTraffic(
  exchanges: readonly Exchange[],
  {
    doubtsSettings = false,
    world: known,
    baseUrl,
    keep,
    redact,
    keys: knownKeys,
    ...head
  }: TrafficOptions = {},
): Promise<TrafficScenario> {
  const labeler = new KeyLabeler(knownKeys)
  const completed = exchanges.map(withSentFields)
  const filled = new Set(completed.flatMap((each, at) => (each === exchanges[at] ? [] : at)))
  const sentKeys = completed.map((exchange) => labeler.withLabel(withUnknownKey(exchange)))
  // Exports of browsers leave keys out.
  const named = sentKeys.map((each) => (lacksKey(each) ? { ...each, key: 'key' } : each))
  const labelled = known === undefined ? withoutRefusedKeys(named) : named
  const read = labelled.map(readSighting)
  const sightings = resolveCurrent(inProcessedOrder(read))
  const skew = measureSkew(sightings)
  const seen: SeenLists = {
    annotations: new RowsSeen('annotations', sightings),
    plugins: new RowsSeen('plugins', sightings),
  }
  const derive = (plan: Plan): SeenWorld => buildWorld(sightings, seen, plan)
  const options = { baseUrl, keys: knownKeys }
  // A known world has no key for them.
  const sent = known === undefined ? labelled : completed.map((each) => labeler.withLabel(each))
  const itemOf = ({ index }: Sighting) => ({ exchange: sent[index] as Exchange })
  const clock = sightings[0] && startTime(sightings[0], skew?.median ?? 0)
  const plain = recordSteps(sightings.map(itemOf), { ...options, keep: true })
  const isDerived = known === undefined
  const { plan, undecided } = await explainTraffic({
    requests: sightings.map((sighting, at) => {
      const step = plain.steps[plain.stepOf[at] ?? -1]
      return { sighting, step: step && isRequestStep(step) ? step : null }
    }),
    seen,
    ...{ skew, doubtsSettings },
    hasOwnWorld: isDerived,
    worldOf: (plan) => (isDerived ? derive(plan).world : known),
    faultOf: toFaultStep,
    clock: head.clock ?? (isDerived ? clock : undefined),
    ...((!isDerived || head.profile) && { settings: resolveSettings(head.profile, head.settings) }),
  })
  const waits = waitsBefore(sightings, labelled)
  const items: Recorded[] = []
  const edited: number[] = []
  const sentAt = new Map<number, number>()
  for (const sighting of sightings) {
    for (const change of editsBefore(plan, sighting, seen)) {
      edited.push(items.push({ change }) - 1)
    }
    const wait = waits.get(sighting.index)
    if (wait) items.push({ change: wait })
    const item = { ...itemOf(sighting), fault: toFaultStep(sighting, plan) }
    sentAt.set(items.push(item) - 1, sighting.index)
  }
  const derived = isDerived ? derive(plan) : null
  const start = derived?.world ?? known
  const rows = isObject(start) ? (start as WorldJson) : undefined
  const recorded = recordSteps(items, { ...options, keep, redact }, rows)
  const { steps, stepOf, warnings } = recorded
  const started = {
    ...(typeof start === 'string' && { world: start }),
    ...(recorded.world && { world: recorded.world }),
    // On a frozen clock, a client that waits by itself would seem not to wait.
    ...(isDerived && clock !== undefined && { clock: waits.size > 0 ? ticking(clock) : clock }),
    ...head,
  }
  const exchangeOf = new Map(
    [...sentAt].flatMap(([item, index]) => {
      const step = stepOf[item] ?? null
      return step === null ? [] : [[step, index] as const]
    }),
  )
  return {
    scenario: { ...toScenarioHead(started), steps },
    warnings: [
      ...warnings,
      ...(derived ? [...derived.warnings, ...describeUndecided(undecided, exchangeOf)] : []),
      ...describeFilled(filled, exchangeOf),
      ...describeTwins(sightings, seen, plan),
    ],
    exchanges: recorded.exchanges,
    exchangeOf,
    edits: edited.map((item) => stepOf[item] as number),
  }
}

/** A key that the service never accepted is not in the derived world, so steps cannot name it. */
function withoutRefusedKeys(exchanges: readonly Exchange[]): Exchange[] {
  const accepted = new Set(
    exchanges.flatMap(({ key, response }) => (response.status === 401 ? [] : (key ?? []))),
  )
  return exchanges.map((exchange) => {
    const { key } = exchange
    return typeof key === 'string' && !accepted.has(key) ? { ...exchange, key: null } : exchange
  })
}

function describeFilled(
  filled: ReadonlySet<number>,
  exchangeOf: ReadonlyMap<number, number>,
): string[] {
  const steps = [...exchangeOf].filter(([, index]) => filled.has(index))
  return steps.map(
    ([step]) =>
      `steps[${step}] sends the fields of its response, because the body of the request was not recorded.`,
  )
}

function ticking(time: string): ClockSetting {
  return { mode: 'ticking', time }
}

/** The time of the first request by the clock of the service: ISO 8601, UTC. */
function startTime(first: Sighting, skew: number): string {
  return formatIsoTime(Math.floor(startOf(first, skew) / 1000) * 1000)
}

function toFaultStep(sighting: Sighting, plan: Plan): ChangeStep | null {
  const fault = faultOf(sighting, plan)
  return fault && { fault }
}

/** The fault that a request met. Null if it met none. */
function faultOf(sighting: Sighting, plan: Plan): FaultRule | null {
  const { effect, operation } = sighting
  if (!effect) return null
  const phase = phaseOf(sighting, plan)
  // Between the steps, only the next request can meet the fault. With an operation, it waits for its request.
  const pattern = operation === null ? {} : { operation }
  return { ...pattern, when: { times: 1 }, ...(phase && { phase }), effect }
}

/** Undefined for the phase that the effect has by default. */
function phaseOf(sighting: Sighting, { carriedOut }: Plan): FaultPhase | undefined {
  const { effect, lost, index } = sighting
  if (isUsual(sighting) || effect?.cut_bytes !== undefined) return undefined
  // The status arrived, so the request was carried out.
  return lost?.arrived || carriedOut.has(index) ? 'after-commit' : 'before'
}

function describeUndecided(
  undecided: readonly Sighting[],
  exchangeOf: ReadonlyMap<number, number>,
): string[] {
  const stepOf = new Map([...exchangeOf].map(([step, exchange]) => [exchange, step]))
  return undecided.flatMap(({ index, method, operation }) => {
    const step = stepOf.get(index)
    if (step === undefined) return []
    return `No later response shows whether the service carried out ${method} ${operation}, which failed. steps[${step}] assumes that it did not.`
  })
}
