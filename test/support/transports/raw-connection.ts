import { once } from 'node:events'
import net from 'node:net'
import { onTestFinished } from 'vitest'

/** A response as it was sent. */
interface RawResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A connection to a server, for requests that fetch cannot send: invalid, pipelined or incomplete ones. */
export class RawConnection {
  readonly socket: net.Socket
  #bytes = Buffer.alloc(0)

  constructor(socket: net.Socket) {
    this.socket = socket.on('error', () => {}).on('close', () => socket.emit('readable'))
  }

  /** Connects to a server until the test ends. */
  static async to(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin)
    const socket = net.connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  send(...parts: (string | Uint8Array)[]): this {
    for (const part of parts) this.socket.write(part)
    return this
  }

  /** Reads the next response, or null if the connection closes without one. */
  async readResponse(method = 'GET'): Promise<RawResponse | null> {
    const [first = '', ...lines] = (await this.readHead()).split('\r\n')
    if (first === '') return null
    const pairs = lines.map((line) => line.split(/: ?(.*)/))
    const headers = Object.fromEntries(
      pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]),
    )
    const length = method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0)
    return { status: Number(first.split(' ')[1]), headers, text: await this.#read(length) }
  }

  /** Reads a status line with its headers, such as 100 Continue. */
  async readHead(): Promise<string> {
    const end = '\r\n\r\n'
    while (!this.#bytes.includes(end) && !this.socket.closed) await this.#readMore()
    const at = this.#bytes.indexOf(end)
    return at < 0 ? '' : (await this.#read(at + end.length)).trim()
  }

  /** Waits until the server has closed the connection. */
  async closed(): Promise<void> {
    if (!this.socket.resume().closed) await once(this.socket, 'close')
  }

  /** Reads a number of bytes, or fewer if the connection closes. */
  async #read(size: number): Promise<string> {
    while (this.#bytes.length < size && !this.socket.closed) await this.#readMore()
    const text = this.#bytes.toString('utf8', 0, size)
    this.#bytes = this.#bytes.subarray(size)
    return text
  }

  async #readMore(): Promise<void> {
    const more = this.socket.read()
    if (more === null) await new Promise<void>((resolve) => this.socket.once('readable', resolve))
    else this.#bytes = Buffer.concat([this.#bytes, more])
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
