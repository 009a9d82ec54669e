import { type Exchange, findHeader } from '../http/exchange.ts'
import { isSuccess } from '../http/messages.ts'
import {
  type ChangeStep,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import { KeyLabeler } from '../scenarios/recording/hide.ts'
import {
  type Recorded,
  type RecorderOptions,
  type RecordingHead,
  recordSteps,
  toScenarioHead,
} from '../scenarios/recording/recorder.ts'
import type { StepWarning } from '../scenarios/recording/step-warnings.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { FaultPhase } from '../simulator/faults/fault.ts'
import { isObject } from '../utils/json.ts'
import { parseInteger, parseUuid } from '../utils/python.ts'
import { type ClockSetting, formatIsoTime } from '../world/clock/clock.ts'
import type { WorldJson } from '../world/world-json.ts'
import { accessOf } from './access.ts'
import { describeSharedKeys, tellClientsApart } from './clients-seen.ts'
import { lacksKey, withSentFields, withUnknownKey } from './complete-exchanges.ts'
import { describeDuplicates, findDoubleCreates } from './duplicates.ts'
import { findHistory, maxSent, type UndecidedWrite } from './find-history.ts'
import type { History, SeenLists } from './history.ts'
import { isUsual, type Observation, readObservation, shownLimits } from './observation.ts'
import { inProcessedOrder, measureSkew, type Skew, startOf } from './order.ts'
import { RowsSeen } from './rows-seen.ts'
import { measureThrottling, type Throttling } from './throttling.ts'
import { buildWorld } from './world-seen.ts'

/** Puts ids in place of `@current` in paths, so that its rows are among those of the project or organization. */
function resolveCurrent(observations: readonly Observation[]): Observation[] {
  const successes = observations.filter(({ status }) => isSuccess(status))
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
  return observations.map((observation) => {
    const params = Object.entries(observation.params).map(([name, value]) => {
      return [name, (value === '@current' && ids[name]) || value]
    })
    return { ...observation, params: Object.fromEntries(params) }
  })
}

/** The name of the scenario of an imported file. @example scenarioFileOf('incident.har') // 'incident.json' */
export function scenarioFileOf(name: string): string {
  return `${name.replace(/\.(?:har|json)$/i, '')}.json`
}

/** How traffic becomes a scenario. */
export interface ImportOptions extends RecorderOptions, RecordingHead {
  /** Called for each request that a simulator gets while causes are tried */
  readonly onSent?: (() => Promise<void>) | undefined
}

/** A scenario that was made of traffic. */
export interface TrafficScenario {
  /** Without steps if no step can send any of the requests */
  readonly scenario: Scenario
  /** What the scenario leaves out, and what in it is made up */
  readonly warnings: readonly StepWarning[]
  /** The exchanges without secrets, safe to print and to store */
  readonly exchanges: readonly Exchange[]
  /** The index of the exchange that each request step sends, by the index of the step */
  readonly exchangeOf: ReadonlyMap<number, number>
  /** The steps whose creates the client sent a second time */
  readonly doubled: readonly number[]
  /** The indexes of the steps that others may have taken */
  readonly edits: readonly number[]
  /** How many responses nothing explains */
  readonly unexplained: number
}

/**
 * Makes a scenario of requests and responses, with the world that they need, the faults that they met, and what others
 * did between them. A replay decides what happened, where the responses leave it open. `world` is a known world.
 *
 * @example const { scenario } = await scenarioFromTraffic(exchanges, { title: 'A lost response' })
 */
export async function scenarioFromTraffic(
  exchanges: readonly Exchange[],
  { world: known, baseUrl, keep, redact, keys, onSent, ...head }: ImportOptions = {},
): Promise<TrafficScenario> {
  const isDerived = known === undefined
  const read = readTraffic(exchanges, keys, isDerived)
  const { observations, sent, seen, skew, clock, doubled } = read
  const options = { baseUrl, keys }
  const plain = recordSteps(read.items(), { ...options, isRaw: true })
  const requests = observations.map((observation, at) => {
    const step = plain.steps[plain.stepOf[at] ?? -1]
    return { observation, step: step && isRequestStep(step) ? step : null }
  })
  const settings =
    isDerived && !head.profile ? undefined : resolveSettings(head.profile, head.settings)
  const access = await accessOf(isDerived ? requests : [], settings, (tried) => {
    return buildWorld(observations, seen, { start: new Map(), left: new Map() }, tried).world
  })
  const { history, undecided, unexplained, isCut } = await findHistory({
    ...{
      requests,
      settings,
      onSent,
      seen,
      skew,
      hasOwnWorld: isDerived,
      shown: shownLimits(observations),
    },
    worldOf: (tried) => known ?? buildWorld(observations, seen, tried, access).world,
    faultOf: (observation, tried) => toFaultStep(observation, tried),
    clock: head.clock ?? (isDerived ? clock : undefined),
  })
  const throttling = measureThrottling(observations, sent)
  const { items, editItems, requestItems } = itemsOf(read, history, throttling)
  const derived = isDerived ? buildWorld(observations, seen, history, access) : null
  const start = derived?.world ?? known
  const rows = isObject(start) ? (start as WorldJson) : undefined
  const recorded = recordSteps(items, { ...options, keep, redact }, rows)
  const { steps, stepOf, warnings } = recorded
  const started = {
    ...(typeof start === 'string' && { world: start }),
    ...(recorded.world && { world: recorded.world }),
    // On a frozen clock, a client that waits by itself would seem not to wait.
    ...(isDerived &&
      clock !== undefined && {
        clock: throttling.lasts.size + throttling.waits.size > 0 ? ticking(clock) : clock,
      }),
    ...head,
  }
  const exchangeOf = new Map(
    [...requestItems].flatMap(([item, index]) => {
      const step = stepOf[item] ?? null
      return step === null ? [] : [[step, index] as const]
    }),
  )
  return {
    scenario: {
      ...toScenarioHead(started),
      steps: withoutCountdowns(steps, exchangeOf, sent, throttling),
    },
    warnings: [
      ...warnings,
      ...withoutSteps(derived?.warnings ?? []),
      ...(derived ? describeUndecided(undecided, exchangeOf) : []),
      ...withoutSteps(isCut ? [searchEnded] : []),
      ...describeFilled(read.filled, exchangeOf),
      ...withoutSteps([...read.warnings, ...describeDuplicates(observations, seen, history)]),
    ],
    exchanges: recorded.exchanges,
    exchangeOf,
    doubled: [...exchangeOf].flatMap(([step, index]) => (doubled.has(index) ? step : [])),
    edits: editItems.map((item) => stepOf[item] as number),
    unexplained: unexplained.size,
  }
}

/** Exchanges, and what they say about the service. */
interface ReadTraffic {
  /** The exchanges as steps send them, in their order */
  readonly sent: readonly Exchange[]
  /** The indexes of the exchanges whose bodies were not recorded, and are filled in */
  readonly filled: ReadonlySet<number>
  /** In the order in which the service processed the requests */
  readonly observations: readonly Observation[]
  readonly seen: SeenLists
  readonly skew: Skew | null
  /** How long a test delays creates that were sent twice, by their indexes */
  readonly doubled: ReadonlyMap<number, number>
  /** Which clients had one key, in sentences */
  readonly warnings: readonly string[]
  /** The time of the first request by the clock of the service. Undefined without requests */
  readonly clock: string | undefined
  /** The exchanges in the order of the observations */
  items(): { readonly exchange: Exchange }[]
}

/** @param isDerived whether the world before the first request follows from the responses */
function readTraffic(
  exchanges: readonly Exchange[],
  keys: RecorderOptions['keys'],
  isDerived: boolean,
): ReadTraffic {
  const labeler = new KeyLabeler(keys)
  const completed = exchanges.map(withSentFields)
  const named = completed.map((exchange) => labeler.withLabel(withUnknownKey(exchange)))
  const showsKeys = named.some(({ key }) => typeof key === 'string')
  // Exports of browsers leave keys out.
  const labelled = named.map((exchange) =>
    lacksKey(exchange, showsKeys) ? { ...exchange, key: 'key' } : exchange,
  )
  const { exchanges: known, warnings } = isDerived
    ? tellClientsApart(withoutRefusedKeys(labelled))
    : { exchanges: labelled, warnings: [] }
  const inOrder = resolveCurrent(inProcessedOrder(known.map(readObservation)))
  const doubled = findDoubleCreates(inOrder)
  const observations = inOrder.map((observation) => {
    const delay_ms = doubled.get(observation.index)
    return delay_ms ? { ...observation, effect: { delay_ms } } : observation
  })
  const skew = measureSkew(observations)
  // A known world has no key for them.
  const sent = isDerived ? known : completed.map((exchange) => labeler.withLabel(exchange))
  const [first] = observations
  return {
    ...{
      sent,
      observations,
      skew,
      doubled,
      warnings: [...warnings, ...describeSharedKeys(observations)],
    },
    filled: new Set(completed.flatMap((exchange, at) => (exchange === exchanges[at] ? [] : at))),
    seen: {
      annotations: new RowsSeen('annotations', observations),
      plugins: new RowsSeen('plugins', observations),
    },
    clock: first && startTime(first, skew?.median ?? 0),
    items: () => observations.map(({ index }) => ({ exchange: sent[index] as Exchange })),
  }
}

/** What becomes steps, and which of it others did, and the client. */
interface TrafficItems {
  readonly items: readonly Recorded[]
  /** The positions of what others did */
  readonly editItems: readonly number[]
  /** The indexes of the exchanges of requests, by the positions of these */
  readonly requestItems: ReadonlyMap<number, number>
}

function itemsOf(
  { observations, sent }: ReadTraffic,
  history: History,
  { lasts, within, waits }: Throttling,
): TrafficItems {
  const items: Recorded[] = []
  const editItems: number[] = []
  const requestItems = new Map<number, number>()
  for (const observation of observations) {
    const { index } = observation
    for (const change of history.edits.get(index) ?? []) editItems.push(items.push({ change }) - 1)
    const wait = waits.get(index)
    if (wait) items.push({ change: wait })
    const exchange = sent[index] as Exchange
    const first = within.get(index)
    const isWithin = first !== undefined && !history.tookEffect.has(first)
    const fault = isWithin ? null : toFaultStep(observation, history, lasts.get(index))
    requestItems.set(items.push({ exchange, fault }) - 1, index)
  }
  return { items, editItems, requestItems }
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
): StepWarning[] {
  const text =
    '{steps} sends the fields of its response, because the body of the request was not recorded.'
  const sent = [...exchangeOf].filter(([, index]) => filled.has(index))
  return sent.map(([step]) => ({ text, steps: [step] }))
}

function withoutSteps(sentences: readonly string[]): StepWarning[] {
  return sentences.map((text) => ({ text, steps: [] }))
}

function ticking(time: string): ClockSetting {
  return { mode: 'ticking', now: time }
}

/** The time of the first request by the clock of the service: ISO 8601, UTC. */
function startTime(first: Observation, skew: number): string {
  return formatIsoTime(Math.floor(startOf(first, skew) / 1000) * 1000)
}

/**
 * The fault that a request met, as a step. Null if it met none.
 *
 * @param seconds how long the fault lasts. By default it is that of one request
 */
function toFaultStep(
  observation: Observation,
  history: History,
  seconds: number | null = null,
): ChangeStep | null {
  const { effect, operation } = observation
  if (!effect) return null
  const phase = phaseOf(observation, history)
  const when = seconds === null || phase === 'after-commit' ? { times: 1 } : { for_s: seconds }
  // Between the steps, only the next request can meet the fault. With an operation, it waits for its request.
  const pattern = operation === null ? {} : { operation }
  return { fault: { ...pattern, when, ...(phase && { phase }), effect } }
}

/** While a refusal lasts, a service can say how much of the wait is left. The fault of the first request says all of it. */
function withoutCountdowns(
  steps: readonly Step[],
  exchangeOf: ReadonlyMap<number, number>,
  sent: readonly Exchange[],
  { within }: Throttling,
): readonly Step[] {
  return steps.map((step, at) => {
    const index = exchangeOf.get(at) ?? -1
    const first = within.get(index)
    if (first === undefined || !isRequestStep(step)) return step
    const [refusal, response] = [sent[first]?.response, sent[index]?.response]
    const isEqual = JSON.stringify(refusal?.body) === JSON.stringify(response?.body)
    const isSameWait = [refusal, response].map((response) =>
      findHeader(response?.headers ?? [], 'retry-after'),
    )
    if (isEqual && isSameWait[0] === isSameWait[1]) return step
    return { ...step, expect: { status: response?.status ?? 0 } }
  })
}

/** Undefined for the phase that the effect has by default. */
function phaseOf(observation: Observation, { tookEffect }: History): FaultPhase | undefined {
  const { effect, lost, index } = observation
  if (isUsual(observation) || effect?.cut_bytes !== undefined) return undefined
  // The status arrived, so the request was carried out.
  return lost?.arrived || tookEffect.has(index) ? 'after-commit' : 'before'
}

const searchEnded = `The search for what others did ended after ${maxSent} requests to simulators, so not everything was tried.`

/** Why nothing proves whether a lost write took effect. */
const undecidedSentences: Readonly<Record<UndecidedWrite['why'], (request: string) => string>> = {
  not_shown: (request) =>
    `No later response shows whether the service carried out ${request}, which failed.`,
  not_tried: (request) =>
    `Whether the service carried out ${request}, which failed, was not tried: there are too many such requests.`,
}

function describeUndecided(
  undecided: readonly UndecidedWrite[],
  exchangeOf: ReadonlyMap<number, number>,
): StepWarning[] {
  const stepOf = new Map([...exchangeOf].map(([step, exchange]) => [exchange, step]))
  return undecided.flatMap(({ observation: { index, method, operation }, why }) => {
    const step = stepOf.get(index)
    if (step === undefined) return []
    const sentence = undecidedSentences[why](`${method} ${operation}`)
    return { text: `${sentence} {steps} assumes that it did not.`, steps: [step] }
  })
}
