import { type ConnectionFailure, describeConnectionError } from '../utils/network.ts'
import { UsageError } from '../utils/usage-error.ts'
import { type ControlOperationId, controlOperations } from './control-operations.ts'

/** What goes with a call of the control API. */
export interface ControlRequest {
  /** For the parameters in its path. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: object
  readonly body?: unknown
  readonly init?: RequestInit
}

/** The way to the control API of one simulator: of a server's own, or of a sandbox of it. */
export class ControlClient {
  /** Without a slash at its end, and without `/__admin`. */
  readonly url: string
  readonly #token: string | undefined

  /** @throws RemoteError for what is no address */
  constructor(url: string, token: string | undefined) {
    if (!/^https?:/.test(url) || !URL.canParse(url)) {
      const expected = 'an address such as http://127.0.0.1:4010'
      throw new RemoteError(`Failed to connect: expected ${expected}, got ${JSON.stringify(url)}.`)
    }
    this.url = url.replace(/\/*$/, '').replace(/\/__admin$/, '')
    this.#token = token
  }

  /** The way to a simulator at another address of the same server. */
  at(url: string): ControlClient {
    return new ControlClient(url, this.#token)
  }

  /** What an endpoint answers. @throws RemoteError where it refuses, or nothing answers */
  async call<T>(id: ControlOperationId, given: ControlRequest = {}): Promise<T> {
    const response = await this.send(id, given)
    const text = await response.text()
    if (text === '') return undefined as T
    try {
      return JSON.parse(text) as T
    } catch {
      throw notControlApi(response.url, response.status)
    }
  }

  /** The same; undefined where the path names what is not there. @throws RemoteError for a wrong address, too */
  async callOrUndefined<T>(id: ControlOperationId, given: ControlRequest): Promise<T | undefined> {
    try {
      return await this.call<T>(id, given)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** Removes what the path names; false where it is not there. @throws RemoteError for a wrong address, too */
  async remove(
    id: ControlOperationId,
    params: NonNullable<ControlRequest['params']>,
  ): Promise<boolean> {
    try {
      await this.call(id, { params })
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }

  /** The answer of an endpoint, its body unread. @throws RemoteError where it refuses, or nothing answers */
  async send(
    id: ControlOperationId,
    { params = {}, query = {}, body, init = {} }: ControlRequest = {},
  ): Promise<Response> {
    const [method, path] = controlOperations[id]
    const address = path.replace(/:(\w+)/g, (_, name) => encodePathValue(params[name]))
    const search = String(new URLSearchParams(Object.entries(query)))
    const headers = new Headers(init.headers)
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const response = await fetch(`${this.url}${address}${search && `?${search}`}`, {
      ...init,
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error) => Promise.reject(serverUnreachable(this.url, error)))
    if (!response.ok) throw await toRemoteError(response)
    return response
  }
}

/** A value in a path, where a dot would begin a suffix. */
function encodePathValue(value: string | number | undefined): string {
  return encodeURIComponent(String(value)).replaceAll('.', '%2E')
}

/** What a name in the path asked for is not there. Of other 404s the address is wrong, or its sandbox has ended. */
function isNotFound(error: unknown): boolean {
  const { status, field } = error as RemoteError
  return status === 404 && ['id', 'name', 'value'].includes(field ?? '')
}

/** What a server said of a failed call. */
interface ErrorDetails {
  readonly status: number
  /** The name of the failure, such as `not_found`. */
  readonly code: string | null
  /** The field at fault. */
  readonly attr: string | null
}

/**
 * A call of the control API that failed: what the server says of it, with the field at fault. Where no server
 * answers, there is no status.
 */
export class RemoteError extends UsageError {
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** The name of the failure, such as `not_found`; null where the server gave none. */
  readonly code: string | null

  constructor(message: string, refusal: ErrorDetails | null = null) {
    super(message, [], refusal?.attr ?? null)
    this.status = refusal?.status ?? null
    this.code = refusal?.code ?? null
  }
}

/** What a refusal says. */
async function toRemoteError(response: Response): Promise<RemoteError> {
  const { status, url } = response
  try {
    const { code, detail, attr } = await response.json()
    if (typeof detail === 'string') return new RemoteError(detail, { status, code, attr })
  } catch {
    // Whoever answered is not the control API.
  }
  return notControlApi(url, status)
}

/** What answered is something else. */
function notControlApi(url: string, status: number): RemoteError {
  return new RemoteError(
    `Failed to use the control API: expected it at ${url}, got an answer of another kind (${status}). Check the address.`,
    { status, code: null, attr: null },
  )
}

/** Nothing answered. */
function serverUnreachable(url: string, error: unknown): RemoteError {
  const { cause, message } = error as { cause?: ConnectionFailure; message: string }
  const got = cause
    ? (describeConnectionError(cause)?.reason ?? `a broken connection (${cause.code})`)
    : message
  const said = new RemoteError(
    `Failed to reach ${url}: expected a running server, got ${got}. Start it with understudy serve.`,
  )
  return Object.assign(said, { cause: error })
}

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: string
}

/**
 * The events of an answer, as the HTML standard has them, as far as our own server sends such: LF at the end of
 * lines, one line of data. Comments are left out.
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
      const fields = new Map(block.split('\n').map(parseField))
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data }
    }
  }
}

/** `name: value` */
function parseField(line: string): [string, string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}
