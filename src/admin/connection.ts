import { type Issue, UsageError } from '../utils/errors.ts'
import { tryParseJson } from '../utils/json.ts'
import {
  type ConnectionFailure,
  checkServerUrl,
  describeConnectionError,
  readAtMost,
  UnreachableError,
  unreachableMessage,
} from '../utils/network.ts'
import { packageName } from '../utils/version.ts'
import type { AdminOperation } from './operation.ts'
import type { Health, Operations } from './operations.ts'

/** The method and the path of an operation. @internal */
export type OperationName = keyof Operations

/** The body that an operation takes. @internal */
export type Body<Name extends OperationName> =
  Operations[Name] extends AdminOperation<infer Body, infer _Params, infer _Result> ? Body : never

/** The parameters that an operation takes in the query. @internal */
export type Query<Name extends OperationName> = Parameters<Operations[Name]['run']>[0]['query']

/** What an operation returns. @internal */
export type Result<Name extends OperationName> = Awaited<ReturnType<Operations[Name]['run']>>

/** What an operation is called with. @internal */
export interface OperationInput<Name extends OperationName> {
  readonly params?: readonly (string | number)[]
  readonly query?: Query<Name> | undefined
  readonly body?: Body<Name>
  readonly init?: RequestInit & { readonly headers?: Readonly<Record<string, string>> }
}

/** How long a server may take to say what it is, in milliseconds. */
const healthTimeout = 10_000

/** How much is read of what a server says of itself, and of an error, in bytes. */
const maxObject = 2 ** 20

/**
 * Sends requests to the admin API of one simulator: a server's own, or that of a sandbox. Before the first one, it
 * checks that the server is Understudy: no other server gets a write or the token.
 */
export class Connection {
  /** The base URL of the simulator, without `/__admin` and without a trailing slash. */
  readonly url: string
  readonly #token: string | undefined
  #checked: Promise<unknown> | null

  /**
   * @param checked resolves if the server is known to be Understudy. By default it is asked before the first request
   * @throws UsageError for an invalid URL
   */
  constructor(url: string, token: string | undefined, checked: Promise<unknown> | null = null) {
    checkServerUrl(url, 'connect')
    this.url = url.replace(/\/*$/, '').replace(/\/__admin$/, '')
    this.#token = token
    this.#checked = checked
  }

  /** Returns a connection to a sandbox of this server, which is not asked again what it is. @internal */
  at(url: string): Connection {
    const isSame = new URL(url).origin === new URL(this.url).origin
    return new Connection(url, this.#token, isSame ? this.#checked : null)
  }

  /** @throws UsageError for a server that is not Understudy @throws UnreachableError without a response @internal */
  async health(): Promise<Health> {
    const url = `${this.url}/__admin/health`
    const response = await this.#fetch(url, { signal: AbortSignal.timeout(healthTimeout) })
    const health = await readObject(response)
    if (health.name === packageName && health.version) return health
    if (typeof health.detail === 'string') throw new RemoteError(response.status, health)
    throw new UsageError(
      `The response of ${url} (status ${response.status}) is not from an Understudy admin API. Check the URL.`,
    )
  }

  /** Calls an operation. @throws RemoteError if the server refuses it @throws UnreachableError without a response @internal */
  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name> = {},
  ): Promise<Result<Name>> {
    const response = await this.send(name, input)
    const text = await response.text()
    if (text === '') return undefined as Result<Name>
    const json = tryParseJson(text)
    if (json) return json.value as Result<Name>
    throw foreignError(response)
  }

  /** Returns undefined if there is no such resource. @throws RemoteError as `call` does, and for a wrong URL @internal */
  find<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ): Promise<Result<Name> | undefined> {
    return this.call(name, input).catch(rejectOthers)
  }

  /** Returns false if there is no such resource. @throws RemoteError as `find` does @internal */
  async remove(name: OperationName, ...params: readonly (string | number)[]): Promise<boolean> {
    const isRemoved = this.call(name, { params }).then(() => true)
    return (await isRemoved.catch(rejectOthers)) ?? false
  }

  /** Returns the response with its body unread. @internal */
  async send<Name extends OperationName>(
    name: Name,
    { params = [], query = {}, body, init = {} }: OperationInput<Name> = {},
  ): Promise<Response> {
    this.#checked ??= this.health()
    await this.#checked.catch((error) => {
      this.#checked = null
      throw error
    })
    const [method = '', pattern = ''] = name.split(' ')
    const values = params.map(String)
    const path = pattern.replace(/:\w+/g, () => encodeURIComponent(values.shift() ?? ''))
    const search = String(new URLSearchParams(query as Record<string, string>))
    const response = await this.#fetch(`${this.url}/__admin${path}${search && `?${search}`}`, {
      ...init,
      method,
      headers: {
        ...init.headers,
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    const error = await readObject(response)
    throw typeof error.detail === 'string'
      ? new RemoteError(response.status, error)
      : foreignError(response)
  }

  #fetch(url: string, init: RequestInit, isAgain = false): Promise<Response> {
    return fetch(url, init).catch((error: Error & { cause?: ConnectionFailure }) => {
      const { name, message } = error
      // A server may close an idle connection while a request is sent on it.
      const isRead = init.method === undefined || init.method === 'GET'
      const isBroken = error.cause && describeConnectionError(url, error.cause, '') === null
      if (isRead && !isAgain && isBroken) return this.#fetch(url, init, true)
      const cause = name === 'TimeoutError' ? { message: 'timeout' } : error.cause
      throw Object.assign(new UnreachableError(describe(this.url, cause, message)), { cause })
    })
  }
}

/** Reads an object of JSON. Any server can be at a URL, and a proxy before it: what they send otherwise has no fields. */
async function readObject(response: Response) {
  const bytes = await readAtMost(response, maxObject).catch(() => null)
  return Object(tryParseJson(new TextDecoder().decode(bytes ?? undefined))?.value)
}

/** The error for a response that no admin API sends. */
function foreignError({ url, status }: Response) {
  const detail = `The response of ${url} (status ${status}) is not from the admin API. A proxy before the server may have refused the request.`
  return new RemoteError(status, { detail, attr: null })
}

function describe(url: string, cause: ConnectionFailure | undefined, message: string) {
  const advice = 'Start it with npx understudy-api serve.'
  // Browsers do not give the cause.
  return cause
    ? (describeConnectionError(url, cause, advice) ??
        unreachableMessage(url, `a broken connection (${cause.code})`, advice))
    : `No response from ${url} (${message}). Is the server running? Does MSW refuse the request?`
}

/** @throws any error but that of a missing resource, whose field is the parameter of the path that names it */
function rejectOthers(error: Partial<RemoteError>): undefined {
  if (error.status !== 404 || error.field === null) throw error
}

interface ErrorJson {
  readonly detail: string
  readonly attr: string | null
  readonly issues?: readonly Issue[]
}

/** A request that the admin API refused, or a proxy before it. */
export class RemoteError extends UsageError {
  readonly status: number

  constructor(status: number, { detail, attr, issues = [] }: ErrorJson) {
    super(detail, attr, detail, issues)
    this.status = status
  }
}
