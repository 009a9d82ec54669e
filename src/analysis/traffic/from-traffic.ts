import type { Exchange } from '../../http/exchange.ts'
import type { FaultPhase, FaultRule } from '../../sandbox/faults/rule.ts'
import type { ChangeStep, Scenario } from '../../scenarios/format/scenario.ts'
import {
  type Recorded,
  type RecorderOptions,
  type RecordingHead,
  recordSteps,
  toScenarioHead,
} from '../../scenarios/recording/recorder.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Assumption } from './assumption.ts'
import { titleOfFailures } from './failures.ts'
import { collectKeys, KeyNames } from './keys-seen.ts'
import { inProcessedOrder, measureSkew, startOf } from './order.ts'
import { RowHistory, type UnansweredWrite } from './row-history.ts'
import { type Sighting, SightingReader } from './sighting.ts'
import { buildWorld, scopeOfOperation } from './world-seen.ts'

export type { Assumption } from './assumption.ts'

interface SurveyOptions {
  /** The values of known keys by their labels */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** The label of requests whose key an export left out. By default `key` */
  readonly missingKey?: string | undefined
}

/** What traffic says about the service: its state before the first request, and what happened to lost responses. */
interface Survey {
  /** The world before the first request, with the real values of its people. A recorder hides them */
  readonly world: WorldJson
  /** The time of the first request by the clock of the service: ISO 8601, UTC */
  readonly clock?: string
  /** The values of keys by their labels, for a recorder. Secret */
  readonly keys: Readonly<Record<string, string>>
  /** The faults that precede requests, by the indexes of their exchanges */
  readonly faults: ReadonlyMap<number, FaultRule>
  /** What others changed before requests, by the indexes of the exchanges that showed it */
  readonly edits: ReadonlyMap<number, readonly ChangeStep[]>
  /** The step that adds the fault of an exchange. Null if it met none */
  faultOf(index: number): ChangeStep | null
  /** The indexes of the exchanges in the order in which the service processed them */
  readonly order: readonly number[]
  /** What failed, as a clause. Null if nothing did */
  readonly failure: string | null
  /** What could not be known */
  readonly assumptions: readonly Assumption[]
  /** Whether requests had no key although the service accepted them, as in exports of browsers */
  readonly hasMissingKeys: boolean
  /** Sets the label of the key of an exchange. A request without a key gets the one that the world has for it */
  withKey(exchange: Exchange): Exchange
}

/** An exchange, before later ones are known. */
interface SurveyedExchange {
  /** It has the label of its key in the world */
  readonly exchange: Exchange
  /** The fault that it met. Later exchanges can show another phase. Null if it met none */
  readonly fault: FaultRule | null
}

/**
 * Looks at every exchange before any step is written. Takes memory for the rows that were seen, not for the bodies.
 *
 * @example
 * const survey = new TrafficSurvey()
 * for (const exchange of exchanges) survey.add(exchange)
 * const { world, faults } = survey.finish()
 */
class TrafficSurvey {
  readonly #names: KeyNames
  readonly #reader = new SightingReader()
  readonly #sightings: Sighting[] = []

  constructor({ keys, missingKey }: SurveyOptions = {}) {
    this.#names = new KeyNames(keys, missingKey)
  }

  add(exchange: Exchange): SurveyedExchange {
    const labelled = this.#names.withLabel(exchange)
    const sighting = this.#reader.read(labelled, labelled.key ?? null)
    this.#sightings.push(sighting)
    return { exchange: labelled, fault: faultOf(sighting) }
  }

  finish(): Survey {
    const sightings = resolveCurrent(inProcessedOrder(this.#sightings))
    const skew = measureSkew(sightings)
    const histories = {
      annotations: new RowHistory('annotations', sightings, skew),
      plugins: new RowHistory('plugins', sightings, skew),
    }
    const names = this.#names
    const keys = collectKeys(sightings, scopeOfOperation)
    const { world, ...built } = buildWorld(sightings, keys, histories)
    const { faults, assumptions } = collectFaults(sightings, Object.values(histories))
    const [first] = sightings
    const edits = new Map(Object.values(histories).flatMap((history) => [...history.edits]))
    return {
      world,
      ...(first && {
        clock: formatIsoTime(Math.floor(startOf(first, skew?.median ?? 0) / 1000) * 1000),
      }),
      keys: names.values,
      faults,
      edits,
      faultOf(index) {
        const fault = faults.get(index)
        return fault ? { fault } : null
      },
      order: sightings.map(({ index }) => index),
      failure: titleOfFailures(sightings, faults),
      assumptions: [...built.assumptions, ...assumptions],
      hasMissingKeys: names.isMissingUsed,
      withKey: (exchange) => names.withLabel(exchange),
    }
  }
}

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
export interface TrafficScenario extends Pick<Survey, 'failure' | 'assumptions'> {
  /** Without steps if no step can send any of the requests */
  readonly scenario: Scenario
  /** What the scenario leaves out, in sentences */
  readonly warnings: readonly string[]
  /** The exchanges without secrets, safe to print and to store */
  readonly exchanges: readonly Exchange[]
  /** The index of the exchange that each request step sends, by the index of the step */
  readonly exchangeOf: ReadonlyMap<number, number>
  /** The indexes of the steps that others may have taken */
  readonly edits: readonly number[]
  /** Whether requests had no key although the service accepted them, as in exports of browsers */
  readonly hasMissingKeys: boolean
}

interface TrafficOptions
  extends RecorderOptions,
    Pick<SurveyOptions, 'missingKey'>,
    Omit<RecordingHead, 'world'> {
  /** Whether requests whose key an export left out stay without one */
  readonly leavesKeysOut?: boolean
  /** The world before the first request. By default it is derived from the responses. Null for none */
  readonly world?: RecordingHead['world'] | null | undefined
}

/**
 * Makes a scenario of requests and responses, with the world that they need and the faults that they met.
 *
 * @example const { scenario } = scenarioFromTraffic(exchanges, { title: 'A lost response' })
 */
export function scenarioFromTraffic(
  exchanges: readonly Exchange[],
  {
    missingKey,
    leavesKeysOut = false,
    world: known,
    baseUrl,
    keep,
    redact,
    keys: knownKeys,
    ...head
  }: TrafficOptions = {},
): TrafficScenario {
  const survey = new TrafficSurvey({ keys: knownKeys, missingKey })
  for (const exchange of exchanges) survey.add(exchange)
  const { world, clock, keys, order, failure, edits, ...seen } = survey.finish()
  const items: Recorded[] = []
  const edited: number[] = []
  const sentAt = new Map<number, number>()
  for (const index of order) {
    for (const change of edits.get(index) ?? []) edited.push(items.push({ change }) - 1)
    const exchange = exchanges[index] as Exchange
    const labelled = leavesKeysOut ? exchange : seen.withKey(exchange)
    sentAt.set(items.push({ exchange: labelled, fault: seen.faultOf(index) }) - 1, index)
  }
  const start = known === undefined ? world : known
  const rows = isObject(start) ? start : undefined
  const recorded = recordSteps(items, { baseUrl, keep, redact, keys }, rows)
  const { steps, stepOf, warnings } = recorded
  const started = {
    ...(typeof start === 'string' && { world: start }),
    ...(recorded.world && { world: recorded.world }),
    ...(known === undefined && clock !== undefined && { clock }),
    ...head,
  }
  return {
    scenario: { ...toScenarioHead(started), steps },
    warnings,
    failure,
    assumptions: known === undefined ? seen.assumptions : [],
    exchanges: recorded.exchanges,
    exchangeOf: new Map(
      [...sentAt].flatMap(([item, index]) => {
        const step = stepOf[item] ?? null
        return step === null ? [] : [[step, index] as const]
      }),
    ),
    edits: edited.map((item) => stepOf[item] as number),
    hasMissingKeys: seen.hasMissingKeys,
  }
}

/**
 * The fault that a request met. Null if it met none.
 *
 * @param write what later responses say about a write without a response
 */
function faultOf(sighting: Sighting, write?: UnansweredWrite): FaultRule | null {
  const { effect, operation } = sighting
  if (!effect) return null
  const phase = phaseOf(sighting, write)
  // Between the steps, only the next request can meet the fault. With an operation, it waits for its request.
  const pattern = operation === null ? {} : { operation }
  return { ...pattern, when: { times: 1 }, ...(phase && { phase }), effect }
}

/**
 * The faults that requests met, by the indexes of their exchanges. Later responses decide whether a write without a
 * response was carried out.
 */
function collectFaults(
  sightings: readonly Sighting[],
  histories: readonly RowHistory[],
): { readonly faults: ReadonlyMap<number, FaultRule>; readonly assumptions: Assumption[] } {
  const writes = new Map<Sighting, UnansweredWrite>(
    histories.flatMap(({ unanswered }) => unanswered.map((write) => [write.sighting, write])),
  )
  const faults = new Map<number, FaultRule>()
  const assumptions: Assumption[] = []
  for (const sighting of sightings) {
    const { index, method, operation } = sighting
    const write = writes.get(sighting)
    const fault = faultOf(sighting, write)
    if (!fault) continue
    faults.set(index, fault)
    if (write?.wasCarriedOut === null && fault.phase === 'before') {
      assumptions.push({
        field: `requests[${index}].phase`,
        value: fault.phase,
        because: `No later response shows whether the service carried out ${method} ${operation}, whose response was lost.`,
      })
    }
  }
  return { faults, assumptions }
}

/** Undefined for the phase that the effect has by default. */
function phaseOf(
  { effect, lost }: Sighting,
  write: UnansweredWrite | undefined,
): FaultPhase | undefined {
  const isOnlySlow = effect !== null && Object.keys(effect).join() === 'delay_ms'
  if (isOnlySlow) return undefined
  if (effect?.cut_bytes !== undefined) return undefined
  // The status arrived, so the request was carried out.
  if (lost?.arrived || write?.wasCarriedOut) return 'after-commit'
  return 'before'
}
