import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wait } from '../utils/wait.ts'
import type { RunningServer } from './running-server.ts'

/** Starts a server. @returns how this machine reaches it @throws Error with Node's code, such as EADDRINUSE */
export async function bindServer(
  server: Server,
  port: number,
  host: string,
): Promise<Pick<RunningServer, 'url' | 'port'>> {
  // As a URL writes it.
  const address = host.replace(/^\[(.*)\]$/, '$1')
  await bind(server, port, address).catch((error: NodeJS.ErrnoException) => {
    // A machine can have IPv6 only, also for itself.
    if (error.code !== 'EADDRNOTAVAIL' || address !== '127.0.0.1') throw error
    return bind(server, port, '::1').catch(() => Promise.reject(error))
  })
  const bound = server.address() as AddressInfo
  const reachable = wildcards[bound.address] ?? bound.address
  const name = reachable.includes(':') ? `[${reachable}]` : reachable
  return { url: `http://${name}:${bound.port}`, port: bound.port }
}

/** An address at which this machine reaches a server that listens on all. */
const wildcards: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

async function bind(server: Server, port: number, host: string) {
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw toBindError(error, port, host)
  })
}

/** In milliseconds */
const pause = 20

/** Accepts no further connection, and closes the open ones. @param timeout how long requests in flight may take */
export async function closeServer(server: Server, timeout = 0): Promise<void> {
  let isClosed = false
  const end = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    isClosed = true
  })
  for (let waited = 0; waited < timeout && !isClosed; waited += pause) {
    await wait(pause)
    // Node keeps a connection open whose request was in flight.
    server.closeIdleConnections()
  }
  server.closeAllConnections()
  await end
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
