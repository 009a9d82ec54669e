import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, Server as NetServer, type Socket } from 'node:net'
import { abortOf } from '../utils/abort.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import { wait } from '../utils/wait.ts'

/** The ports that browsers and fetch refuse, from https://fetch.spec.whatwg.org/#port-blocking. */
const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/** Whether browsers and fetch refuse to connect to a port. */
export function isBlockedPort(port: number): boolean {
  return blockedPorts.has(port)
}

/**
 * Starts a server and returns its address.
 *
 * @throws UsageError for a port that browsers and fetch refuse, and for no host: Node would listen on every address
 * @throws Error with Node's code, such as EADDRINUSE
 */
export async function bindServer(server: Server, port: number, host: string): Promise<AddressInfo> {
  if (host === '')
    throw unexpectedValue('listen', 'an address such as 127.0.0.1', host, undefined, 'host')
  if (isBlockedPort(port)) {
    const free = await findFreePort(port, host)
    throw new UsageError(
      `Browsers and fetch refuse to connect to port ${port}. Choose another port, such as ${free}.`,
      'port',
    )
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toBindError(error, port, host)))
    server.listen(port, host, resolve)
  })
  return server.address() as AddressInfo
}

/** Closes a server and its open connections at once. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** How long open connections must be without a request before a server that stops closes them, in milliseconds. */
const quietTime = 250

/** The latest response of each connection of a server, so that a server that stops can answer requests in flight. */
export class OpenResponses {
  readonly #latest = new Map<Socket, ServerResponse>()
  #count = 0
  #isStopping = false

  /** Called for each request, before it is answered. */
  add({ socket }: IncomingMessage, response: ServerResponse): void {
    if (!this.#latest.has(socket)) socket.once('close', () => this.#latest.delete(socket))
    this.#latest.set(socket, response)
    this.#count += 1
    if (this.#isStopping) response.shouldKeepAlive = false
  }

  /**
   * Accepts no further connection, and waits until all requests are answered, those of open connections, too. Each
   * connection ends with its next response. Those that a proxy keeps can have one at any time, so the others end when
   * none had a request for a while.
   *
   * @param milliseconds the longest time to wait
   */
  async drain(server: Server, milliseconds: number): Promise<void> {
    // That of HTTP would close idle connections, on which a proxy may be sending a request.
    NetServer.prototype.close.call(server)
    this.#isStopping = true
    for (const [socket, response] of this.#latest) {
      if (!response.headersSent) response.shouldKeepAlive = false
      else if (!response.writableFinished) response.once('finish', () => socket.end())
    }
    const end = new AbortController()
    const isTimeOver = wait(milliseconds, abortOf(end.signal))
    for (let isOver = false; !isOver; ) {
      const [open, count] = [this.#findOpen(), this.#count]
      if (!open && (await countConnections(server)) === 0) break
      const next = open ? once(open, 'close') : wait(quietTime, abortOf(end.signal))
      isOver = await Promise.race([next.then(() => false), isTimeOver])
      if (!open && this.#count === count) break
    }
    end.abort()
  }

  #findOpen(): ServerResponse | undefined {
    return [...this.#latest.values()].find(({ closed }) => !closed)
  }
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count = 0) => resolve(count)))
}

/** Finds the next port that can be used. Lower ports than 1024 need special rights. */
async function findFreePort(after: number, host: string): Promise<number> {
  let port = Math.max(after, 1023) + 1
  while (isBlockedPort(port) || !(await isFree(port, host))) port += 1
  return port
}

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

function toBindError(cause: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code } = cause
  if (code === undefined) return cause
  const message =
    code === 'EADDRINUSE'
      ? `Port ${port} is already in use. Choose another port, or 0 for any free one.`
      : `Failed to listen on ${host}, port ${port} (${code}). Choose an address of this machine and a port that you may use.`
  return Object.assign(new Error(message, { cause }), { ...cause })
}
