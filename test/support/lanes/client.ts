/** What a test looks at: the status, the headers the service set, the body as JSON where it is JSON. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}

export interface RequestOptions {
  /** The value of a key; null for none at all. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: BodyInit
  readonly headers?: Record<string, string>
}

/** Asks one simulator, as an application would: with fetch. */
export class Client {
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  /** The answer as a fetch response; by default with the key that may do everything. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.exchange(`${this.origin}${path}`, initOf(method, options))
  }

  /** Sends a request as it is. */
  exchange(url: string, init: RequestInit): Promise<Response> {
    return fetch(url, init)
  }

  /** The status and the body: JSON where it is, else a text, undefined where there is none. */
  ask = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const response = await this.send(method, path, options)
    return { status: response.status, body: parse(await response.text()) }
  }

  /** Sends a request to the control API, without a key. */
  control = (
    method: string,
    path: string,
    options: Omit<RequestOptions, 'key'> = {},
  ): Promise<Reply> => this.ask(method, path, { ...options, key: null })
}

function initOf(method: string, options: RequestOptions): RequestInit {
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

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
