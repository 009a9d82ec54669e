import { bodyText, queryString, requestTarget } from '../../http/messages.ts'
import { resolveSettings, type SettingOverrides } from '../../settings/resolve.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type { ResetOptions, SimulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { unexpectedValue } from '../../utils/errors.ts'
import { withoutByteOrderMark } from '../../utils/json.ts'
import { percentEncode } from '../../utils/query.ts'
import type { ClockSetting, Duration } from '../../world/clock/clock.ts'
import type { AddedIds, RowEdit } from '../../world/edit/edit-rows.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Change } from '../format/scenario.ts'
import { readResponse, type Sender, type SentRequest } from './sender.ts'

type Awaitable<T> = T | Promise<T>

/** Returns the values of keys by their labels: the same map only if they are the same. */
type KeyReader = () => Awaitable<ReadonlyMap<string, string>>

/** The part of a simulator, or of a remote one, that a run needs. */
interface RunnableSimulator {
  fetch(url: string, init: RequestInit): Promise<Response>
  reset(options: ResetOptions): unknown
  replaceWorld(world: WorldJson): unknown
  readonly world: { edit(edits: RowEdit): Awaitable<AddedIds> }
  readonly clock: { set(setting: ClockSetting): unknown; advance(duration: Duration): unknown }
  readonly faults: {
    add(fault: FaultRequest): unknown
    remove(id: string): Awaitable<boolean>
    clear(): unknown
  }
  readonly settings: { set(overrides: SettingOverrides): unknown }
  readonly keys: {
    list(): Awaitable<readonly Pick<KeyRow, 'label' | 'value'>[]>
    revoke(value: string): unknown
  }
}

/** @param baseUrl without a slash at its end @param end called when the run ends */
export async function createSimulatorSender(
  simulator: RunnableSimulator,
  baseUrl: string,
  end?: () => Promise<unknown>,
  readKeys: KeyReader = async () => valuesByLabel(await simulator.keys.list()),
): Promise<Sender> {
  let latest: ReadonlyMap<string, string> | undefined = await readKeys()
  let keys = new Map(latest)
  return {
    baseUrl,
    key: (label) => keys.get(label),
    labels: () => [...keys.keys()],
    send: ({ url, ...init }: SentRequest, signal) =>
      readResponse(url, simulator.fetch(url, signal ? { ...init, signal } : init)),
    async change(change) {
      const added = await dispatchChange(change, simulator, readKeys)
      const read = 'world' in change || 'reset' in change ? await readKeys() : latest
      // A client still sends a key that was revoked.
      if (read && read !== latest) keys = new Map([...keys, ...read])
      latest = read
      const issued = ('rows' in change && change.rows.keys) || []
      for (const [at, { label }] of issued.entries()) {
        const value = String(added.keys?.[at])
        keys.set(label ?? value, value)
        latest = undefined
      }
      return added
    },
    close: async () => void (await end?.()),
  }
}

async function dispatchChange(change: Change, simulator: RunnableSimulator, readKeys: KeyReader) {
  if ('rows' in change || 'update' in change || 'delete' in change)
    return simulator.world.edit(change)
  if ('world' in change) await simulator.replaceWorld(change.world)
  else if ('remove' in change) await remove(change.remove, simulator)
  else if ('clear' in change) await simulator.faults.clear()
  else if ('revoke' in change) {
    const value = (await readKeys()).get(change.revoke)
    if (value === undefined)
      throw unexpectedValue('revoke a key', 'the label of a key', change.revoke)
    await simulator.keys.revoke(value)
  } else if ('clock' in change) await simulator.clock.set(change.clock)
  else if ('advance' in change) await simulator.clock.advance(change.advance)
  else if ('fault' in change) await simulator.faults.add(change.fault)
  else if ('profile' in change) await simulator.settings.set(resolveSettings(change.profile))
  else if ('settings' in change) await simulator.settings.set(change.settings)
  else await simulator.reset({ only: change.reset === true ? ['rows'] : change.reset })
  return {}
}

async function remove(id: string, { faults }: RunnableSimulator) {
  if (!(await faults.remove(id))) throw unexpectedValue('remove', 'the id of a fault', id)
}

export async function createLocalSender(simulator: Simulator): Promise<Sender> {
  const readKeys = createKeyReader(simulator)
  return {
    ...(await createSimulatorSender(simulator, simulator.url, undefined, readKeys)),
    simulator,
  }
}

/** Reads the keys of a simulator once until they change. */
function createKeyReader({ state }: Simulator) {
  let [stamp, known]: [object?, Map<string, string>?] = []
  return () => {
    const { keys } = state.tables
    if (!known || stamp !== keys.stamp) known = valuesByLabel([...keys.values()])
    stamp = keys.stamp
    return known
  }
}

function valuesByLabel(keys: readonly Pick<KeyRow, 'label' | 'value'>[]) {
  return new Map(keys.map(({ label, value }) => [label, value]))
}

/** Opens a simulator that is fast, and has a short memory. @throws UsageError for an invalid world */
export function openQuickSimulator(
  options: Pick<SimulatorOptions, 'world' | 'settings' | 'seed' | 'clock'>,
): Simulator {
  const simulator = createSimulator({ ...options, journal: { entries: 1 } })
  simulator.faults.endWaits()
  return simulator
}

/**
 * Sends the requests of steps without the objects of fetch: making them would take most of the time. A label that the world
 * lacks is that of a key that the service does not know, either.
 */
export async function createQuickSender(simulator: Simulator): Promise<Sender> {
  const sender = await createLocalSender(simulator)
  // The rows may have been restored since the sender saw them.
  const readKeys = createKeyReader(simulator)
  return {
    ...sender,
    key: (label) => readKeys().get(label) ?? sender.key(label) ?? `unknown-${percentEncode(label)}`,
    send: (request) => send(request, simulator),
  }
}

async function send({ method, url, headers, body }: SentRequest, simulator: Simulator) {
  const isRead = method === 'GET' || method === 'HEAD'
  // Fetch refuses a body.
  if (isRead && body !== undefined) {
    return readResponse(url, simulator.fetch(url, { method, headers, body }))
  }
  const sent = new Headers(headers)
  if (typeof body === 'string' && !sent.has('content-type')) sent.set('content-type', plainText)
  const response = await answer(method, new URL(url).href, sent, body, simulator)
  const broken = response.status === 0 || response.cutAfter !== undefined
  const text = method === 'HEAD' || broken ? '' : withoutByteOrderMark(bodyText(response.body))
  return { status: response.status, headers: new Headers(response.headers), text, broken }
}

async function answer(
  method: string,
  url: string,
  headers: Headers,
  body: SentRequest['body'],
  simulator: Simulator,
) {
  const match = simulator.match(url, { url, headers })
  if (!match) return simulator.notFound(method, { url, headers })
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null)
  const isOmitted = bytes !== null && bytes.length > match.bodyLimit
  return match.handle({
    ...{ method, url, headers, target: requestTarget(url), query: queryString(url) },
    body: isOmitted ? { omitted: bytes.length } : bytes,
  })
}

/** What fetch says of a text. */
const plainText = 'text/plain;charset=UTF-8'
