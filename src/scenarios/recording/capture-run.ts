import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import {
  bodyLength,
  bodyText,
  isOmitted,
  type MessageBody,
  sentHeaders,
} from '../../http/messages.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { PolicyOverrides, Profile } from '../../policies/settings.ts'
import { isBodyCut } from '../../sandbox/faults/effects.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import type { Renderer } from '../../sandbox/journal/renderer.ts'
import { type ResetOptions, resetParts, type SimulatorBase } from '../../sandbox/simulator-base.ts'
import { toHeaderValue } from '../../utils/redaction/mask.ts'
import { Clock, formatIsoTime } from '../../world/clock/clock.ts'
import type { DeletedRows, NewRows, UpdatedRows } from '../../world/edit/add-rows.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, Scenario, Step } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import { observeTarget, type Target } from '../run/target.ts'
import { nearestProfile } from './changes.ts'
import type { KnownKeys } from './hide.ts'
import { ExactRecorder, RecordedClock, type StepSink } from './recorder.ts'

/**
 * Records a simulator while it runs: each request with its exact response, and each change of the world between them.
 * Steps are written at once and not stored.
 *
 * @note If the clock of the simulator runs, it must be held during each request. See `Clock.hold`.
 */
export class RunRecorder {
  readonly #simulator: SimulatorBase
  readonly #sink: StepSink
  readonly #recorder: ExactRecorder
  readonly #clock: RecordedClock
  readonly #snapshots = new Set<string>()
  #keys: KnownKeys
  /** The time of the next step, in milliseconds since 1970. */
  #now: number
  readonly stop: () => void

  constructor(simulator: SimulatorBase, sink: StepSink) {
    this.#simulator = simulator
    this.#sink = sink
    this.#keys = readKnownKeys(simulator)
    this.#now = simulator.clock.now()
    this.#clock = new RecordedClock(this.#now)
    const timedSink: StepSink = {
      open: (keys) => sink.open?.(keys),
      add: (step) => {
        const move = this.#clock.moveTo(this.#now)
        if (move) sink.add(move)
        sink.add(step)
      },
      omit: (what) => sink.omit(what),
    }
    const { redact } = simulator.sandbox.journal.limits
    this.#recorder = new ExactRecorder(timedSink, () => this.#keys, redact)
    this.stop = simulator.journal.followRecords((record) => {
      this.#now = record.at
      const exchange = recordToExchange(record, 'http://localhost')
      this.#recorder.add(exchange, exchange.url.slice(0, -record.target.length))
    })
  }

  addControlCall({ simulator, ...call }: ControlCall): void {
    if (simulator !== this.#simulator) return
    const oldKeys = this.#keys
    this.#keys = readKnownKeys(simulator)
    const newKeys = [...this.#keys.keys()].filter((value) => !oldKeys.has(value))
    // Without a translation, the request changes nothing that responses depend on.
    const translated = translations[call.operation]?.({
      ...call,
      world: () => simulator.world.toJSON(),
      label: (value) => oldKeys.get(value),
      withValues: (keys) => keys.map((key, at) => ({ ...key, value: newKeys[at] as string })),
      isSaved: (name) => this.#snapshots.has(name),
      initialFaults: simulator.faults.initial,
    })
    for (const step of [translated ?? []].flat()) {
      if ('omitted' in step) {
        this.#sink.omit(step.omitted)
        continue
      }
      if ('snapshot' in step) this.#snapshots.add(step.snapshot)
      this.#now = simulator.clock.now()
      this.#recorder.addChange(step)
    }
  }
}

function readKnownKeys({ keys }: SimulatorBase): KnownKeys {
  const labels = new Map<string, string | null>()
  const values = new Map<string | null, string>()
  for (const { value, label } of keys.list()) {
    const sameLabel = values.get(label)
    if (sameLabel !== undefined) labels.set(sameLabel, null)
    labels.set(value, sameLabel === undefined ? label : null)
    values.set(label, value)
  }
  return labels
}

export interface ControlCall {
  /** The operation id, such as `addRows` */
  readonly operation: string
  readonly params: Readonly<Record<string, string>>
  /** The JSON body. Undefined without a body */
  readonly body: unknown
  /** The simulator it applied to: that of the server, or that of a sandbox */
  readonly simulator: SimulatorBase
}

interface ControlCallContext extends Omit<ControlCall, 'simulator'> {
  /** The world after the request */
  readonly world: () => WorldJson
  /** The label of a key before the request */
  readonly label: (value: string) => string | null | undefined
  /** Adds the values of the keys that the request added, as later requests in the bundle use them */
  readonly withValues: (keys: readonly KeyRequest[]) => KeyRequest[]
  readonly isSaved: (snapshot: string) => boolean
  readonly initialFaults: readonly FaultRequest[]
}

/** Returns steps, or a phrase for what no step can contain. */
type Translation = (
  call: ControlCallContext,
) => ChangeStep | readonly ChangeStep[] | { readonly omitted: string }

/** The step has the same form as the body. */
const fromBody =
  (kind: string): Translation =>
  ({ body }) =>
    ({ [kind]: escapeLiterals(body) }) as ChangeStep

const fromId: Translation = ({ params: { id = '' } }) => ({ remove: id })

/** By operation id. Clock operations are missing: each request carries its time. */
const translations: Readonly<Record<string, Translation>> = {
  addRows: ({ body, withValues }) => {
    const { keys = [], ...rows } = body as NewRows
    const allRows = keys.length > 0 ? { ...rows, keys: withValues(keys) } : rows
    return { rows: escapeLiterals(allRows) as NewRows }
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
  // Each request carries its time, so the clock is left out. In a bundle, steps add the initial faults.
  resetWorld: ({ body, initialFaults }) => {
    const { only = resetParts } = (body ?? {}) as ResetOptions
    const faults = only.includes('faults') ? initialFaults : []
    // The rows include the keys.
    const hasRows = only.includes('rows')
    return [
      { reset: only.filter((part) => part !== 'clock' && (part !== 'keys' || !hasRows)) },
      ...faults.map((fault) => ({ fault: escapeLiterals(fault) as FaultRequest })),
    ]
  },
  createSnapshot: ({ body }) => ({ snapshot: (body as { name: string }).name }),
  restoreSnapshot: ({ params: { name = '' }, isSaved, world }) =>
    isSaved(name) ? { restore: name } : { world: world() },
  importSnapshot: ({ params: { name } }) => ({ omitted: `the import of the snapshot ${name}` }),
  issueKey: ({ body, withValues }) => ({ rows: { keys: withValues([body ?? {}]) } }),
  revokeKey: ({ params: { value = '' }, label }) => ({ revoke: label(value) ?? value }),
  setPolicies: fromBody('policies'),
  addFaults: fromBody('fault'),
  clearFaults: () => ({ clear: 'faults' }),
  removeFault: fromId,
  addActor: fromBody('actor'),
  clearActors: () => ({ clear: 'actors' }),
  removeActor: fromId,
  createSandbox: () => ({ omitted: 'a sandbox and the requests to it' }),
}

function parseRowId(list: string, text: string): number | string {
  return list === 'organizations' ? text : Number(text)
}

const brokenResponse: Exchange['response'] = { status: 0, headers: [], body: null }

/** A journal record as an exchange, with masked secrets. */
export function maskedExchange(
  record: JournalRecord,
  renderer: Renderer,
  origin: string,
): Exchange {
  const exchange = renderer.exchange(record, origin)
  const { response } = exchange
  const headers = response.headers.map(([name, value]) => [name, toHeaderValue(value)] as const)
  return {
    ...exchange,
    response: hasBrokenBody(record) ? brokenResponse : { ...response, headers },
  }
}

/** A journal record as an exchange, with secrets as they were sent. */
export function recordToExchange(record: JournalRecord, origin: string): Exchange {
  const { at, ms, method, target, requestHeaders, requestBody, response } = record
  const host = requestHeaders.get('host') ?? ''
  return {
    at: formatIsoTime(at),
    ms,
    method,
    url: `${/^[\w.:[\]-]+$/.test(host) ? `http://${host}` : origin}${target}`,
    request: {
      headers: [...requestHeaders.entries()],
      body: requestBody === null ? null : toExchangedBody(requestBody),
    },
    response: hasBrokenBody(record)
      ? brokenResponse
      : {
          status: response.status,
          headers: Object.entries(sentHeaders(response)),
          body: method === 'HEAD' ? null : toExchangedBody(response.body),
        },
  }
}

function toExchangedBody(body: MessageBody): ExchangedBody {
  if (isOmitted(body)) return body
  return body instanceof Uint8Array ? bytesToExchangedBody(body) : { text: bodyText(body) }
}

/** Whether a fault broke the connection within the body. The journal contains the whole body. */
function hasBrokenBody(record: JournalRecord): boolean {
  return isBodyCut(record, bodyLength(record.response.body) ?? 0)
}

export interface RecordedStart {
  readonly title: string
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  readonly clock?: string
  /** JSON text in pieces. Null if the target does not show its world */
  readonly world: Iterable<string> | null
}

/**
 * Records a replay: the requests with their exact responses, and the changes of the world. If the clock of the target
 * runs, it is set before each step, so that a replay of the recording shows the same times.
 */
export async function recordTarget(
  target: Target,
  { title }: Pick<Scenario, 'title'>,
  open: (start: RecordedStart) => StepSink,
  currentStep: () => Step | undefined,
  redact: readonly string[] = [],
): Promise<Target> {
  const { start, clock } = await readStart(target, title)
  const sink = open(start)
  const labels = new Map<string, string>()
  // A key can be a part of a path or a body, too.
  const learnKeys = (): void => {
    for (const label of target.labels() ?? []) {
      const value = target.key(label)
      if (value !== undefined) labels.set(value, label)
    }
  }
  learnKeys()
  const titledSink: StepSink = {
    open: (keys) => sink.open?.(keys),
    add(step) {
      const stepTitle = currentStep()?.title
      sink.add(stepTitle === undefined ? step : { title: stepTitle, ...step })
    },
    omit: (what) => sink.omit(what),
  }
  // The keys of a service that shows no world are real.
  const worldKeys = start.world === null ? new Map<string, string>() : labels
  const recorder = new ExactRecorder(
    titledSink,
    () => labels,
    redact,
    () => worldKeys,
  )
  const observed = observeTarget(target, (exchange) => recorder.add(exchange, target.baseUrl))
  const setClock = async (): Promise<void> => {
    if (!clock || clock.mode === 'frozen') return
    const step = { clock: clock.iso() }
    await target.change(step)
    sink.add(step)
  }
  return {
    ...observed,
    key(label) {
      const value = target.key(label)
      if (value !== undefined) labels.set(value, label)
      return value
    },
    async change(change) {
      if (!('clock' in change || 'advance' in change)) await setClock()
      const added = await target.change(change)
      learnKeys()
      if ('clock' in change) clock?.set(change.clock)
      if ('advance' in change) clock?.advance(change.advance)
      recorder.addChange(('world' in change ? change : escapeLiterals(change)) as ChangeStep)
      return added
    },
    async send(request) {
      await setClock()
      return observed.send(request)
    },
  }
}

/** @returns a clock that runs like that of the target, or null if the target does not show its clock */
async function readStart(
  target: Target,
  title: string,
): Promise<{ start: RecordedStart; clock: Clock | null }> {
  const [world, reading] = [await target.world(), await target.clock()]
  if (world === null || reading === null) return { start: { title, world: null }, clock: null }
  const { mode, now } = reading
  const settings = (await target.settings()) as PolicySettings
  return {
    start: { title, ...nearestProfile(settings), clock: now, world },
    clock: new Clock(mode === 'real' ? mode : { mode, time: now }),
  }
}
