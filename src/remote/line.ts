import { type ControlOperationId, controlOperations } from './calls.ts'
import { notControlApi, RemoteError, serverUnreachable, toRemoteError } from './remote-error.ts'

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
