import { waitOfThrottled } from '../../http/throttle.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import {
  type ConnectionFailure,
  describeConnectionError,
  readAtMost,
  UnreachableError,
  unreachableMessage,
} from '../../utils/network.ts'
import type { AddedIds } from '../../world/edit/edit-rows.ts'
import type { Change } from '../format/scenario.ts'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A received response, or a broken connection. */
export interface ReceivedResponse {
  /** 0 if the connection broke before the response */
  readonly status: number
  readonly headers: Headers
  /** The body as text. Invalid bytes become U+FFFD */
  readonly text: string
  /** Whether the connection broke before the whole response, or its body cannot be decoded */
  readonly broken: boolean
}

/** Sends the requests of a scenario, and changes the world between them. */
export interface Sender {
  /** Without a slash at its end */
  readonly baseUrl: string
  /** The value of the key with a label. Returns undefined for an unknown label */
  key(label: string): string | undefined
  /** The labels of its keys. Null if it has a key for every label */
  labels(): readonly string[] | null
  /** @param signal breaks the connection to a server @throws UnreachableError if no server responds */
  send(request: SentRequest, signal?: AbortSignal): Promise<ReceivedResponse>
  /** Changes the world. @returns the ids of added rows @throws UsageError for an invalid change */
  change(change: Change): Promise<AddedIds>
  close(): Promise<void>
  /** Waits some seconds before a throttled request is sent again. Only of a service, which may throttle others, too */
  pause?(seconds: number, signal?: AbortSignal): Promise<unknown>
  /** A simulator in this process */
  readonly simulator?: Simulator
}

/** The keys of a server. */
export interface KeyValues {
  /** By their labels */
  readonly keys?: Readonly<Record<string, string>>
  /** The value of all other keys */
  readonly key?: string
}

/** @throws UnreachableError if no server responds */
export async function readResponse(
  url: string,
  pending: Promise<Response>,
): Promise<ReceivedResponse> {
  let response: Response
  try {
    response = await pending
  } catch (error) {
    const unreachable = toUnreachableError(url, error)
    if (unreachable) throw unreachable
    return { status: 0, headers: new Headers(), text: '', broken: true }
  }
  const { status, headers } = response
  try {
    return {
      status,
      headers,
      text: new TextDecoder().decode(await readBytes(response)),
      broken: false,
    }
  } catch (error) {
    if (error instanceof UnreachableError) throw error
    if ((error as Error).name === 'TimeoutError') throw toUnreachableError(url, error)
    return { status, headers, text: '', broken: true }
  }
}

/** The largest response that is read, in bytes. A server decides how much it sends. */
const maxResponseBytes = 128 * 2 ** 20

/**
 * Reads the body of a response.
 *
 * @throws UnreachableError for more than `maxResponseBytes`
 * @throws Error if the connection breaks
 */
export async function readBytes(response: Response): Promise<Uint8Array> {
  const bytes = await readAtMost(response, maxResponseBytes)
  if (bytes) return bytes
  throw new UnreachableError(
    `The response of ${response.url} has more than ${maxResponseBytes / 2 ** 20} MiB, so the rest was not read.`,
  )
}

/** Returns null if a server responded and broke the connection. */
export function toUnreachableError(url: string, error: unknown): UnreachableError | null {
  const { cause, name } = error as { cause?: ConnectionFailure; name?: string }
  const { origin } = new URL(url)
  const advice = 'Check the address.'
  // A simulator in this process throws an error without a cause for a broken connection.
  const message =
    name === 'TimeoutError'
      ? unreachableMessage(origin, 'no response in time', advice)
      : cause && describeConnectionError(origin, cause, advice)
  return message ? new UnreachableError(message) : null
}

/** Whether a service that asks for a wait is not asked again. In seconds */
export const isTooLong = (wait: number): boolean => wait > 60

/** How often a throttled request is sent again. */
const maxRepeats = 3

interface Waited<Response> {
  readonly response: Response
  /** The wait, in seconds, after which a request that is throttled still was not sent again. Null for another response */
  readonly refusedWait: number | null
}

/** Sends a request, and again after the wait that a 429 asks for. @param pause waits some seconds */
export async function sendAfterWaits<
  Response extends { readonly status: number; readonly headers: Headers; readonly text: string },
>(
  send: () => Promise<Response>,
  pause: (seconds: number) => Promise<unknown> | undefined,
): Promise<Waited<Response>> {
  for (let repeat = 0; ; repeat += 1) {
    const response = await send()
    if (response.status !== 429) return { response, refusedWait: null }
    const seconds = waitOfThrottled(response) ?? 2 ** repeat
    if (isTooLong(seconds) || repeat === maxRepeats) return { response, refusedWait: seconds }
    await pause(seconds)
  }
}
