import net from 'node:net'
import { onTestFinished } from 'vitest'

/** A response as it was sent. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A connection to a server, for requests that fetch cannot send: invalid, pipelined or incomplete ones. */
export class RawConnection {
  readonly #socket: net.Socket
  #received = Buffer.alloc(0)
  #isClosed = false
  #wake = () => {}
  /** The error that broke the connection, or null. */
  error: Error | null = null

  constructor(socket: net.Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', (error) => {
      this.error = error
    })
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake()
    })
  }

  /** Connects to a server until the test ends. */
  static async to(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin)
    const socket = net.connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new RawConnection(socket)
  }

  send(...parts: (string | Uint8Array)[]): this {
    this.#socket.write(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
    return this
  }

  /** Ends the sending side. Responses can still be read. */
  end(): this {
    this.#socket.end()
    return this
  }

  /** Breaks the connection at once. */
  destroy(): void {
    this.#socket.destroy()
  }

  /** Reads the next response, or null if the connection closes without one. */
  async readResponse(method = 'GET'): Promise<RawResponse | null> {
    const head = await this.#until('\r\n\r\n')
    if (head === null) return null
    const [first = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(
      lines.filter(Boolean).map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(first.split(' ')[1])
    if (status < 200) return this.readResponse(method)
    return { status, headers, text: method === 'HEAD' ? '' : await this.#body(headers) }
  }

  /** Reads the status line of an interim response, such as 100 Continue. */
  async readInterim(): Promise<string | undefined> {
    return (await this.#until('\r\n\r\n'))?.trim()
  }

  /** Waits until the server has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#more()
  }

  async #body(headers: Readonly<Record<string, string>>): Promise<string> {
    if (headers['transfer-encoding'] !== 'chunked') {
      return this.#take(Number(headers['content-length'] ?? 0))
    }
    let text = ''
    for (;;) {
      const size = Number.parseInt((await this.#until('\r\n')) ?? '0', 16)
      text += await this.#take(size)
      await this.#take(2)
      if (size === 0) return text
    }
  }

  async #until(mark: string): Promise<string | null> {
    let end = this.#received.indexOf(mark)
    while (end < 0) {
      if (this.#isClosed) return null
      await this.#more()
      end = this.#received.indexOf(mark)
    }
    return this.#take(end + mark.length)
  }

  async #take(size: number): Promise<string> {
    while (this.#received.length < size && !this.#isClosed) await this.#more()
    const bytes = this.#received.subarray(0, size)
    this.#received = this.#received.subarray(size)
    return bytes.toString('utf8')
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** Formats a request with a Host, the key with full access, and the length of its body. */
export function formatRequest(
  method: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: string; readonly headers?: Record<string, string> } = {},
): string {
  const all = {
    host: 'api.test',
    authorization: 'Bearer phx_all',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
