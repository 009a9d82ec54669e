import { type ApiResponse, bodyText, queryString, requestTarget } from '../../http/messages.ts'
import type { SimulatorOptions } from '../../simulator/options.ts'
import { openSimulator, type Simulator } from '../../simulator/simulator.ts'
import { withoutByteOrderMark } from '../../utils/json.ts'
import { type ReceivedResponse, readResponse, type Sender, type SentRequest } from './sender.ts'
import { createLocalSender } from './simulator-sender.ts'

/** Opens a simulator that is fast, and has a short memory. @throws UsageError for an invalid world */
export function openQuickSimulator(
  options: Pick<SimulatorOptions, 'world' | 'settings' | 'seed' | 'clock'>,
): Simulator {
  return openSimulator({ ...options, journal: { entries: 1 } }, true)
}

/**
 * Sends the requests of steps without the objects of fetch: making them would take most of the time. A label that the world
 * lacks is that of a key that the service does not know, either.
 */
export async function createQuickSender(simulator: Simulator): Promise<Sender> {
  const sender = await createLocalSender(simulator)
  // The rows may have been restored since the sender saw them.
  const keyOf = (label: string) => simulator.keys.list().find((key) => key.label === label)?.value
  return {
    ...sender,
    key: (label) => keyOf(label) ?? sender.key(label) ?? `unknown-${label}`,
    send: (request) => send(request, simulator),
  }
}

async function send(
  { method, url, headers, body }: SentRequest,
  simulator: Simulator,
): Promise<ReceivedResponse> {
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
): Promise<ApiResponse> {
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
