import {
  decidingSteps,
  type FoundSettings,
  settingsOfTraffic,
  type TrafficSettings,
} from '../fit/settings-of-traffic.ts'
import { type Exchange, findHeader } from '../http/exchange.ts'
import {
  type ChangeStep,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
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
import { formatCount } from '../utils/text.ts'
import type { ClockSetting } from '../world/clock/clock.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type Access, accessOf } from './accounts-seen.ts'
import { costOf, findHistory } from './find-history.ts'
import type { History } from './history.ts'
import { isUsual, type Observation, shownLimits } from './observation.ts'
import { type ReadTraffic, readTraffic } from './read-traffic.ts'
import { buildWorld } from './world-seen.ts'

/** The name of the scenario of an imported file. @example scenarioFileOf('incident.har') // 'incident.json' */
export function scenarioFileOf(name: string): string {
  return `${name.replace(/\.(?:har|json)$/i, '')}.json`
}

/** How traffic becomes a scenario. */
export interface ImportOptions extends RecorderOptions, Omit<RecordingHead, 'world'> {
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
}

/** What happened by the settings of a service, as far as it is assumed. */
interface Explained extends Awaited<ReturnType<typeof findHistory>> {
  readonly settings: Partial<TrafficSettings>
}

/** Traffic in which is searched what others did, once for each settings of the service that are assumed. */
class Derivation {
  readonly #read: ReadTraffic
  readonly #options: RecorderOptions
  readonly #head: RecordingHead
  readonly #access: Access
  readonly #onSent: ImportOptions['onSent']

  constructor(
    exchanges: readonly Exchange[],
    { onSent, baseUrl, keys, keep, redact, ...head }: ImportOptions,
  ) {
    this.#options = { baseUrl, keys, keep, redact }
    this.#head = head
    this.#onSent = onSent
    this.#read = readTraffic(exchanges, this.#options)
    this.#access = accessOf(this.#read.observations)
  }

  /** What happened. @param settings by default those of the profile that explains more */
  async explain(settings: Partial<TrafficSettings>): Promise<Explained> {
    const { observations, requests, seen, skew, clock } = this.#read
    const happened = await findHistory({
      requests,
      settings: settings.profile && resolveSettings(settings.profile, settings.settings),
      onSent: this.#onSent,
      seen,
      skew,
      shown: shownLimits(observations),
      worldOf: (tried) => this.#startOf(tried).world,
      faultOf: (observation, tried) => toFaultStep(observation, tried),
      clock: this.#head.clock ?? clock,
    })
    return { ...happened, settings }
  }

  /** The settings with which a simulator answers most like the service. @param isAlone whether others did nothing */
  fit({ history }: Explained, isAlone = false): Promise<FoundSettings> {
    const { baseUrl, keys } = this.#options
    const edits = isAlone ? new Map() : history.edits
    const items = itemsOf(this.#read, { ...history, edits }).items.slice(0, decidingSteps)
    const { steps } = recordSteps(items, { baseUrl, keys, isRaw: true })
    return settingsOfTraffic({ ...this.#headOf(this.#startOf(history).world), steps })
  }

  write({ history, undecided, settings }: Explained): TrafficScenario {
    const { sent, doubled, throttling, warnings } = this.#read
    const { items, requestItems } = itemsOf(this.#read, history)
    const start = this.#startOf(history)
    const recorded = recordSteps(items, this.#options, start.world)
    const { steps, stepOf } = recorded
    const exchangeOf = new Map(
      [...requestItems].flatMap(([item, index]) => {
        const step = stepOf[item] ?? null
        return step === null ? [] : [[step, index] as const]
      }),
    )
    return {
      scenario: {
        ...this.#headOf(recorded.world ?? start.world),
        ...settings,
        steps: withoutCountdowns(steps, exchangeOf, sent, throttling),
      },
      warnings: [
        ...recorded.warnings,
        ...withoutSteps([...start.warnings, ...describeOthers(history)]),
        ...describeUndecided(undecided, exchangeOf),
        ...describeFilled(this.#read, exchangeOf),
        ...withoutSteps(warnings),
      ],
      exchanges: recorded.exchanges,
      exchangeOf,
      doubled: [...exchangeOf].flatMap(([step, index]) => (doubled.has(index) ? step : [])),
    }
  }

  #startOf(history: Pick<History, 'start' | 'left'>): ReturnType<typeof buildWorld> {
    const { observations, seen } = this.#read
    return buildWorld(observations, seen, history, this.#access)
  }

  #headOf(world: WorldJson): Omit<Scenario, 'steps'> {
    const { clock, throttling } = this.#read
    const isLasting = throttling.lasts.size + throttling.waits.size > 0
    return toScenarioHead({
      world,
      // On a frozen clock, a client that waits by itself would seem not to wait.
      ...(clock && { clock: isLasting ? ticking(clock) : clock }),
      ...this.#head,
    })
  }
}

/** Traffic as a scenario. */
interface DerivedTraffic extends TrafficScenario {
  /** The settings with which a simulator answers most like the service */
  fitted(): Promise<FoundSettings>
}

/**
 * Makes a scenario of requests and responses, with the world that they need, the faults that they met, and what others
 * did between them. A replay decides what happened, where the responses leave it open. Rows and settings are found in turns.
 * What a setting of the service explains is not taken for a change by others.
 *
 * @example const { scenario } = await deriveTraffic(exchanges, { title: 'A lost response' })
 */
export async function deriveTraffic(
  exchanges: readonly Exchange[],
  options: ImportOptions = {},
): Promise<DerivedTraffic> {
  const derivation = new Derivation(exchanges, options)
  const { profile, settings } = options
  let best = await derivation.explain({
    ...(profile && { profile }),
    ...(settings && { settings }),
  })
  let fitted: FoundSettings | null = null
  while (costOf(best) > 0) {
    const fit = await derivation.fit(best, true)
    if (best.history.edits.size === 0) fitted = fit
    const next = await derivation.explain({ profile: fit.profile, settings: fit.settings })
    if (costOf(next) >= costOf(best)) break
    best = next
    fitted = null
  }
  const explained = best
  return {
    ...derivation.write(explained),
    fitted: async () => fitted ?? (await derivation.fit(explained)),
  }
}

/** What becomes steps, and which of it the client did. */
interface TrafficItems {
  readonly items: readonly Recorded[]
  /** The indexes of the exchanges of requests, by the positions of these */
  readonly requestItems: ReadonlyMap<number, number>
}

function itemsOf({ observations, sent, throttling }: ReadTraffic, history: History): TrafficItems {
  const { lasts, within, waits } = throttling
  const items: Recorded[] = []
  const requestItems = new Map<number, number>()
  for (const observation of observations) {
    const { index } = observation
    for (const change of history.edits.get(index) ?? []) items.push({ change })
    const wait = waits.get(index)
    if (wait) items.push({ change: wait })
    const exchange = sent[index] as Exchange
    const first = within.get(index)
    const isWithin = first !== undefined && !history.tookEffect.has(first)
    const fault = isWithin ? null : toFaultStep(observation, history, lasts.get(index))
    requestItems.set(items.push({ exchange, fault }) - 1, index)
    const change = history.results.get(index)
    if (change) items.push({ change })
  }
  return { items, requestItems }
}

/** Says what nobody recorded. @example ['Others are assumed to have added 1 row and deleted 2 rows.'] */
function describeOthers({ edits }: History): string[] {
  const counts = { added: 0, changed: 0, deleted: 0 }
  for (const change of [...edits.values()].flat()) {
    const [kind, lists] = Object.entries(change).find(([name]) => name in kinds) ?? []
    for (const row of Object.values(Object(lists)).flat())
      counts[Object(row).deleted === true ? 'deleted' : kinds[kind as keyof typeof kinds]] += 1
  }
  const done = Object.entries(counts).filter(([, count]) => count > 0)
  const clauses = done.map(([verb, count]) => `${verb} ${formatCount(count, 'row')}`)
  return clauses.length > 0 ? [`Others are assumed to have ${clauses.join(' and ')}.`] : []
}

const kinds = { rows: 'added', update: 'changed', delete: 'deleted' } as const

/** Says which steps send bodies that were not recorded. */
function describeFilled(
  { filled }: ReadTraffic,
  exchangeOf: ReadonlyMap<number, number>,
): StepWarning[] {
  const steps = [...exchangeOf].flatMap(([step, index]) => (filled.has(index) ? step : []))
  return steps.map((step) => ({
    text: '{steps} sends the fields of its response, because the body of the request was not recorded.',
    steps: [step],
  }))
}

function withoutSteps(sentences: readonly string[]): StepWarning[] {
  return sentences.map((text) => ({ text, steps: [] }))
}

function ticking(time: string): ClockSetting {
  return { mode: 'ticking', now: time }
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
  { within }: ReadTraffic['throttling'],
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

/** Says which writes failed, and may have been carried out nevertheless. */
function describeUndecided(
  undecided: readonly Observation[],
  exchangeOf: ReadonlyMap<number, number>,
): StepWarning[] {
  const stepOf = new Map([...exchangeOf].map(([step, exchange]) => [exchange, step]))
  return undecided.flatMap(({ index, method, operation }) => {
    const step = stepOf.get(index)
    if (step === undefined) return []
    const sentence = `No later response shows whether the service carried out ${method} ${operation}, which failed.`
    return { text: `${sentence} {steps} assumes that it did not.`, steps: [step] }
  })
}
