import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { Profile, SettingOverrides } from '../settings/resolve.ts'
import { formatIssue } from '../utils/issues.ts'
import { maxTextLength } from '../utils/json.ts'
import {
  type ConnectionFailure,
  describeConnectionError,
  readAtMost,
  unreachableMessage,
} from '../utils/network.ts'
import { type Issue, UsageError } from '../utils/usage-error.ts'
import { packageName } from '../utils/version.ts'
import { type ControlOperationId, controlOperations } from './control-operations.ts'

interface CallInput {
  /** Values for the parameters of the path, by name */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: object | undefined
  /** Sent as JSON */
  readonly body?: unknown
  /** Whether the response has the parts that are read. It may throw for another one. */
  readonly has?: (response: never) => unknown
  readonly init?: RequestInit & { readonly headers?: Readonly<Record<string, string>> }
}

/** What `/__admin/health` says. Only a server that says so is an Understudy server. */
export interface Health {
  readonly name: typeof packageName
  readonly status: 'ready'
  readonly version: string
  /** Only of `serve`: the fixture, or the name of the file. */
  readonly world?: string
}

/**
 * Sends requests to the control API of one simulator: a server's own, or that of a sandbox. Before the first write, and
 * before the token is sent, it checks that the server is Understudy.
 */
export class ControlClient {
  /** The base URL of the simulator, without `/__admin` and without a trailing slash. */
  readonly url: string
  readonly #token: string | undefined
  #isChecked = false

  /** @throws RemoteError for an invalid URL */
  constructor(url: string, token: string | undefined) {
    if (!/^https?:/.test(url) || !URL.canParse(url)) {
      throw new RemoteError(
        `Failed to connect: expected a URL such as http://127.0.0.1:4010, got ${JSON.stringify(url)}.`,
      )
    }
    this.url = url.replace(/\/*$/, '').replace(/\/__admin$/, '')
    this.#token = token
  }

  /** Sends a request as it is. */
  fetch(url: string, init: RequestInit): Promise<Response> {
    return fetch(url, init)
  }

  /** Returns a client for a sandbox. */
  at(url: string): ControlClient {
    const client = new ControlClient(url, this.#token)
    client.#isChecked = this.#isChecked
    return client
  }

  /**
   * Reads the health of the server, without the token. Any server can be at the URL, so its time and its size are limited.
   *
   * @throws RemoteError for a server that is not Understudy
   */
  async health(): Promise<Health> {
    const client = new ControlClient(this.url, undefined)
    const init = { signal: AbortSignal.timeout(healthTimeout) }
    const has = ({ name, version }: Health) => name === packageName && version
    const health = await client.call<Health>('readHealth', { init, has }, maxHealthBytes)
    this.#isChecked = true
    return health
  }

  /**
   * Returns the JSON of the response.
   *
   * @param limit in bytes; 0 for the longest text
   * @throws RemoteError for an error response, for one of more than `limit` bytes or without its parts, or without a response
   */
  async call<T>(id: ControlOperationId, request: CallInput = {}, limit = 0): Promise<T> {
    const response = await this.send(id, request)
    const bytes = await readAtMost(response, limit || maxTextLength).catch(refuseAt(this.url))
    // A world can be. What has a limit of its own is too long at another server only.
    if (!bytes && !limit) throw new RemoteError(`The response of ${response.url} is too long.`)
    try {
      const text = new TextDecoder().decode(bytes as Uint8Array)
      const value = text === '' ? undefined : JSON.parse(text)
      if (!request.has || request.has(value as never)) return value
    } catch {
      // Another server responded.
    }
    throw notControlApi(response.url, response.status)
  }

  /** Returns undefined if the resource does not exist. @throws RemoteError also for a 404 because of a wrong URL */
  callOrUndefined<T>(id: ControlOperationId, request: CallInput): Promise<T | undefined> {
    return this.call<T>(id, request).catch((error) => ifNotFound(undefined, error))
  }

  /** Returns false if the resource does not exist. @throws RemoteError as `callOrUndefined` does */
  remove(id: ControlOperationId, params: CallInput['params'] & {}): Promise<boolean> {
    return this.call(id, { params }).then(
      () => true,
      (error) => ifNotFound(false, error),
    )
  }

  /** Returns the response with its body unread. @throws RemoteError for an error response, or without a response */
  async send(
    id: ControlOperationId,
    { params = {}, query = {}, body, init = {} }: CallInput = {},
  ): Promise<Response> {
    const [method, pattern] = controlOperations[id].split(' ') as [string, string]
    if ((method !== 'GET' || this.#token !== undefined) && !this.#isChecked) await this.health()
    const path = pattern.replace(/:(\w+)/g, (_, name) => encodePathValue(params[name]))
    const search = String(new URLSearchParams(query as Record<string, string>))
    const headers = {
      ...init.headers,
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const response = await this.fetch(`${this.url}/__admin${path}${search && `?${search}`}`, {
      ...init,
      method,
      headers,
      body: JSON.stringify(body),
    }).catch(refuseAt(this.url))
    if (!response.ok) throw await toRemoteError(response)
    return response
  }
}

/** Dots are encoded, too: in a path they would start a suffix such as `.json`. */
function encodePathValue(value: string | number | undefined): string {
  return encodeURIComponent(String(value)).replaceAll('.', '%2E')
}

/** Returns the value if the resource does not exist. Any other 404 means a wrong URL, or a sandbox that has ended. */
function ifNotFound<T>(value: T, error: RemoteError): T {
  if (error.status === 404 && ['id', 'name', 'value'].includes(error.field ?? '')) return value
  throw error
}

/** How long a server may take to say what it is, in milliseconds, and how much it may say, in bytes. */
const [healthTimeout, maxHealthBytes] = [10_000, 65_536]

/** An error has at most a hundred issues. */
const maxErrorBytes = 2 ** 20

interface ControlError {
  readonly status?: number
  readonly code?: string | null
  readonly attr?: string | null
  readonly issues?: readonly Issue[]
}

/** A failed request to a control API. It carries the message of the server and the field that caused the error. */
export class RemoteError extends UsageError {
  /** The HTTP status. Null if there was no response. */
  readonly status: number | null
  /** The code of the failure, such as `not_found`. Null if the server sent none. */
  readonly code: string | null
  /** At most a hundred */
  override readonly details: readonly Issue[]
  override readonly issues: readonly string[]

  constructor(message: string, error: ControlError = {}) {
    super(message, error.attr)
    this.status = error.status ?? null
    this.code = error.code ?? null
    this.details = error.issues ?? []
    this.issues = this.details.map(formatIssue)
  }
}

async function toRemoteError(response: Response): Promise<RemoteError> {
  const { status, url } = response
  try {
    const bytes = await readAtMost(response, maxErrorBytes)
    const error = JSON.parse(new TextDecoder().decode(bytes ?? undefined), withoutControls)
    if (typeof error.detail === 'string') return new RemoteError(error.detail, { ...error, status })
  } catch {
    // The body is not JSON, so another server responded.
  }
  return notControlApi(url, status)
}

/** The issues of a message are indented lines. Another server could forge any other line, and colours. */
function withoutControls(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(?!\n )\p{Cc}/gu, ' ') : value
}

function notControlApi(url: string, status: number): RemoteError {
  return new RemoteError(
    `The response of ${url} (status ${status}) is not from an Understudy control API. Check the URL.`,
    { status },
  )
}

/** For a request without a response, or with a part of one. */
function refuseAt(url: string): (error: { cause?: ConnectionFailure; message: string }) => never {
  return (error) => {
    const { cause, message } = error
    const advice = 'Start it with npx understudy-api serve.'
    // Browsers do not give the cause.
    const text = cause
      ? (describeConnectionError(url, cause, advice) ??
        unreachableMessage(url, `a broken connection (${cause.code})`, advice))
      : `No response from ${url} (${message}). Is the server running? Does MSW refuse the request?`
    throw Object.assign(new RemoteError(text), { cause: error })
  }
}

interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/**
 * Reads the server-sent events of a response. It supports what an Understudy server sends, a part of the HTML standard:
 * lines end with LF, and an event has one line of data, after its name. Comments are skipped.
 */
export async function* readServerSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = 'message', data] = /(?:event: (\w+)\n)?data: ([^\n]*)/.exec(block) ?? []
      if (data !== undefined) yield { event, data }
    }
  }
}

/** Options of `journal.follow`. */
export interface FollowOptions {
  /** The id of an entry. Following starts with the entries after it that are still stored. */
  readonly after?: number
  /** Called with the number of entries that were skipped because they arrived faster than they were read. */
  readonly onMissed?: (entries: number) => void
  /** Called with errors of the connection and of the listener. By default console.error. */
  readonly onError?: (error: unknown) => void
  /** Called when the server ends the stream, as it does when a sandbox ends. */
  readonly onEnd?: () => void
}

/** Calls the listener with each new entry, over a connection that stays open. */
export async function followJournal(
  client: ControlClient,
  listener: (entry: JournalEntry) => void,
  options: FollowOptions,
): Promise<() => void> {
  const { after, onMissed, onError = console.error, onEnd } = options
  const controller = new AbortController()
  const { signal } = controller
  const headers = { ...(after !== undefined && { 'last-event-id': String(after) }) }
  const response = await client.send('followJournal', { init: { signal, headers } })
  const read = async (): Promise<void> => {
    for await (const { event, data } of readServerSentEvents(response)) {
      if (signal.aborted) return
      try {
        if (event === 'missed') onMissed?.(JSON.parse(data).entries)
        else listener(JSON.parse(data))
      } catch (error) {
        onError(error)
      }
    }
    if (!signal.aborted) onEnd?.()
  }
  read().catch((error) => {
    if (!signal.aborted) onError(error)
  })
  return () => controller.abort()
}

/** Options of `scenarios.replay`. */
export interface RemoteReplayOptions {
  /** The world of a scenario that names none: a fixture or a snapshot. By default the current rows. */
  readonly world?: string
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides settings of the scenario. */
  readonly settings?: SettingOverrides
  /** Whether the steps run in this world, without the setup and the faults of the scenario. False by default. */
  readonly in_place?: boolean
  /** Called after each step. */
  readonly onStep?: (step: StepResult) => void
}

/** Replays a scenario on a server. Each step, then the result, arrives as a server-sent event. */
export async function replayRemotely(
  client: ControlClient,
  scenario: string | Scenario,
  { onStep, ...options }: RemoteReplayOptions = {},
): Promise<ReplayResult> {
  const response = await client.send('replayScenario', { body: { scenario, ...options } })
  for await (const { event, data } of readServerSentEvents(response)) {
    const value = JSON.parse(data)
    if (event === 'step') onStep?.(value)
    if (event === 'error') throw new RemoteError(value.message)
    if (event === 'result') return value
  }
  throw new RemoteError(
    'The server closed the connection before the replay was complete. See its output.',
  )
}

/** The world of a file that names none, for the command line and the dashboard. */
export const defaultWorld = 'default'
