import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import { isOmitted, type JournalRecord, type RecordedFault } from '../../sandbox/journal/record.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { DeletedRows, NewRows, UpdatedRows } from '../../world/edit/add-rows.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Step } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import { toExactStep } from './exact-step.ts'
import { type KnownKeys, UnknownKeys } from './request-keys.ts'

/** Where a recording goes, step by step. */
export interface StepSink {
  add(step: Step): void
  /** Told of what no step can say. */
  omit(what: string): void
}

/**
 * Makes steps of all that happens to a simulator: of each request with its exact answer, and of each change of its
 * world in between. It keeps none of them.
 *
 * @note A simulator whose clock runs has to hold it for each request: see `Clock.hold`.
 */
export class RunRecorder {
  readonly #simulator: SimulatorBase
  readonly #sink: StepSink
  readonly #snapshots = new Set<string>()
  /** By the values of keys; null for a label that several have. */
  #labels: KnownKeys
  readonly #keys = new UnknownKeys(() => this.#labels)
  #clock: number
  /** Ends it. */
  readonly stop: () => void

  constructor(simulator: SimulatorBase, sink: StepSink) {
    this.#simulator = simulator
    this.#sink = sink
    this.#labels = collectKeyLabels(simulator)
    this.#clock = simulator.clock.now()
    this.stop = simulator.journal.followRecords((record) => this.#asked(record))
  }

  /** The time that the steps begin at: ISO 8601, UTC */
  get clock(): string {
    return formatIsoTime(this.#clock)
  }

  /** Told of each call of the control API that was carried out. */
  addControlCall({ simulator, ...call }: ControlCall): void {
    if (simulator !== this.#simulator) return
    const change = toChangeStep({
      ...call,
      world: () => simulator.world.toJSON(),
      label: (value) => this.#labels.get(value),
      issued: simulator.keys.list().flatMap(({ value }) => (this.#labels.has(value) ? [] : value)),
      isSaved: (name) => this.#snapshots.has(name),
    })
    this.#labels = collectKeyLabels(simulator)
    if (change === null) return
    if ('lost' in change) {
      this.#sink.omit(change.lost)
      return
    }
    if ('snapshot' in change) this.#snapshots.add(change.snapshot)
    this.#at(simulator.clock.now())
    this.#sink.add(this.#keys.hideInChange(change))
  }

  #asked(record: JournalRecord): void {
    const exchange = recordToExchange(record, 'http://localhost')
    const exact = toExactStep(exchange, this.#keys)
    if ('lost' in exact) {
      this.#sink.omit(exact.lost)
      return
    }
    this.#at(record.at)
    this.#sink.add(exact.step)
  }

  /** A clock that stands still, and is moved on between the steps, gives the same times again. */
  #at(time: number): void {
    if (time === this.#clock) return
    this.#clock = time
    this.#sink.add({ clock: formatIsoTime(time) })
  }
}

function collectKeyLabels({ keys }: SimulatorBase): KnownKeys {
  const labels = new Map<string, string | null>()
  const values = new Map<string | null, string>()
  for (const { value, label } of keys.list()) {
    const other = values.get(label)
    if (other !== undefined) labels.set(other, null)
    labels.set(value, other === undefined ? label : null)
    values.set(label, value)
  }
  return labels
}

/**
 * What the journal is given of a request, as an exchange: keys are in it as they were sent.
 *
 * @param origin of addresses whose requests do not tell their host
 */
function recordToExchange(record: JournalRecord, origin: string): Exchange {
  const { at, ms, method, target, requestHeaders, requestBody, response } = record
  const host = requestHeaders.get('host') ?? ''
  const isBroken = response.status === 0 || isCutInBody(record)
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url: `${/^[\w.:[\]-]+$/.test(host) ? `http://${host}` : origin}${target}`,
    request: { headers: [...requestHeaders.entries()], body: toRequestBody(requestBody) },
    answer: {
      status: isBroken ? 0 : response.status,
      headers: Object.entries(response.headers),
      body: 'omitted' in response ? { omitted: response.omitted } : { text: response.text },
    },
  }
}

function toRequestBody(body: JournalRecord['requestBody']): ExchangedBody | null {
  if (body === null) return null
  if (typeof body === 'string') return { text: body }
  return isOmitted(body) ? body : bytesToExchangedBody(body)
}

/** Whether a fault broke the body off. */
function isCutInBody({ response, fault, method }: JournalRecord): boolean {
  if (fault?.phase !== 'mid-body' || method === 'HEAD' || 'omitted' in response) return false
  const { length } = new TextEncoder().encode(response.text)
  const { drop, cut_bytes } = fault.effect as RecordedFault['effect'] & CutEffect
  return length > (drop ? Math.ceil(length / 2) : (cut_bytes ?? length))
}

interface CutEffect {
  readonly drop?: true
  readonly cut_bytes?: number
}

/** A call of the control API that was carried out. */
export interface ControlCall {
  /** The operation id, such as `addRows` */
  readonly operation: string
  /** The parameters of its path */
  readonly params: Readonly<Record<string, string>>
  /** Undefined where there was none, or no JSON */
  readonly body: unknown
  /** Whose state it was about: the server's own, or that of a sandbox */
  readonly simulator: SimulatorBase
}

/** The body of a call as JSON. */
export function parseJsonBytes(body: Uint8Array | null | 'too_large'): unknown {
  if (!(body instanceof Uint8Array)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** A call of the control API, and what a step needs to know of the world that it changed. */
export interface ControlCallContext {
  /** The operation id */
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  /** The world as it is now */
  readonly world: () => WorldJson
  /** The label of a key as it was before */
  readonly label: (value: string) => string | null | undefined
  /** The values of keys that are there since */
  readonly issued: readonly string[]
  /** Whether a step before saved a snapshot of that name */
  readonly isSaved: (snapshot: string) => boolean
}

/** The change that a call made; null for a call that changes nothing that answers come from. */
function toChangeStep(call: ControlCallContext): ChangeStep | { readonly lost: string } | null {
  return translations[call.operation]?.(call) ?? null
}

type Translation = (call: ControlCallContext) => ChangeStep | { readonly lost: string } | null

/** A change as it was asked for; what each word takes is what the control API takes. */
const asSent =
  (word: string): Translation =>
  ({ body }) =>
    ({ [word]: escapeLiterals(body) }) as unknown as ChangeStep

const toRemoveStep: Translation = ({ params: { id = '' } }) => ({ remove: id })

/** Times are carried with each request, and so clocks are missing here. */
const translations: Readonly<Record<string, Translation>> = {
  addRows: ({ body, issued }) => {
    const { keys = [], ...rows } = body as NewRows
    const all = keys.length > 0 ? { ...rows, keys: withValues(keys, issued) } : rows
    return { rows: escapeLiterals(all) as NewRows }
  },
  replaceWorld: ({ world }) => ({ world: world() }),
  updateRow: ({ params: { list = '', id = '' }, body }) => ({
    update: escapeLiterals({
      [list]: [{ id: parseRowId(list, id), ...(body as object) }],
    }) as UpdatedRows,
  }),
  deleteRow: ({ params: { list = '', id = '' } }) => ({
    delete: { [list]: [parseRowId(list, id)] } as DeletedRows,
  }),
  addGenerated: ({ world }) => ({ world: world() }),
  resetWorld: () => ({ reset: true }),
  createSnapshot: ({ body }) => ({ snapshot: (body as { name: string }).name }),
  restoreSnapshot: ({ params: { name = '' }, isSaved, world }) =>
    isSaved(name) ? { restore: name } : { world: world() },
  importSnapshot: ({ params: { name } }) => ({ lost: `the import of the snapshot ${name}` }),
  issueKey: ({ body, issued }) => ({ rows: { keys: withValues([body ?? {}], issued) } }),
  revokeKey: ({ params: { value = '' }, label }) => ({ revoke: label(value) ?? value }),
  setPolicies: asSent('policies'),
  addFaults: asSent('fault'),
  clearFaults: () => ({ clear: 'faults' }),
  removeFault: toRemoveStep,
  addActor: asSent('actor'),
  clearActors: () => ({ clear: 'actors' }),
  removeActor: toRemoveStep,
  createSandbox: () => ({ lost: 'a sandbox, and what was asked of it' }),
}

/** The id of a row as it stands in an address. */
function parseRowId(list: string, text: string): number | string {
  return list === 'organizations' ? text : Number(text)
}

/** Keys with the values that they got: a step that asks by such a key has to name it. */
function withValues(keys: readonly KeyRequest[], issued: readonly string[]): KeyRequest[] {
  return keys.map((key, index) => ({ ...key, value: issued[index] as string }))
}
