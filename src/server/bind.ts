import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server and returns its address. @throws Error with Node's code, such as EADDRINUSE */
export async function bindServer(server: Server, port: number, host: string): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toBindError(error, port, host)))
    server.listen(port, host, resolve)
  })
  return server.address() as AddressInfo
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
