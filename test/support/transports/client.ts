/** The status and the body of a response. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

export interface RequestOptions {
  /** The value of a key, or null for a request without a key */
  readonly key?: string | null
  /** Sent as JSON */
  readonly body?: unknown
  /** Sent unchanged */
  readonly raw?: BodyInit
  readonly headers?: Record<string, string>
}

/** Sends requests to one simulator with fetch, like an application. */
export class Client {
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** Sends a request, by default with the key with full access. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.exchange(`${this.origin}${path}`, initOf(method, options))
  }

  /** Sends a request unchanged. */
  exchange(url: string, init: RequestInit): Promise<Response> {
    return fetch(url, init)
  }

  /** Sends a request. Returns the status and the body: parsed JSON, a text, or undefined for an empty body. */
  ask = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const response = await this.send(method, path, options)
    return { status: response.status, body: parse(await response.text()) }
  }

  /** Sends a request to the admin API, without a key. */
  admin = (
    method: string,
    path: string,
    options: Omit<RequestOptions, 'key'> = {},
  ): Promise<Reply> => this.ask(method, path, { ...options, key: null })
}

export function initOf(method: string, options: RequestOptions): RequestInit {
  const { key = 'phx_all', body, raw, headers = {} } = options
  return {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
  }
}

/** Parses a body: JSON, a text, or undefined for an empty one. */
export function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
