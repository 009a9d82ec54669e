import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Has a server listen.
 *
 * @returns where it does
 * @throws Error that says what is in the way, with the code that Node gives it: EADDRINUSE for a port that is taken
 */
export async function bindServer(server: Server, port: number, host: string): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toBindError(error, port, host)))
    server.listen(port, host, resolve)
  })
  return server.address() as AddressInfo
}

function toBindError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  return Object.assign(new Error(bindErrorMessage(error, port, host), { cause: error }), {
    ...error,
  })
}

function bindErrorMessage(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  host: string,
): string {
  if (code === 'EADDRINUSE') {
    return `Failed to listen on port ${port}: expected a free port, got one that is taken. Choose another, or 0 for any free one.`
  }
  if (code === undefined) return message
  return `Failed to listen on ${host}, port ${port}: expected an address of this machine and a port that may be used, got ${code}. Choose others.`
}
