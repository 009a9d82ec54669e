/** The request of `node:http` that MSW intercepted. */
interface NodeClientRequest {
  once(event: 'close', listener: () => void): void
  destroy(error: Error): void
}

/**
 * Gives a request that MSW intercepted in `node:http` what MSW leaves out: its signal aborts when the client gives it up.
 *
 * @returns a function that breaks its connection, as a server does: with a code by which clients decide to try again
 */
export function followClient(request: Request): () => void {
  const client = clientOf(request)
  if (!client) return () => {}
  const end = new AbortController()
  client.once('close', () => end.abort())
  const signal = AbortSignal.any([request.signal, end.signal])
  Object.defineProperty(request, 'signal', { value: signal })
  return () => client.destroy(connectionReset())
}

/** The error of Node for a connection that the server broke. Clients recognize it by its code. */
export function connectionReset(): Error {
  const values = { errno: -104, code: 'ECONNRESET', syscall: 'read' }
  return Object.assign(new Error('read ECONNRESET'), values)
}

/** MSW keeps what it intercepted under a symbol, which only a dependency of it exports. */
function clientOf(request: Request): NodeClientRequest | null {
  const [key] = Object.getOwnPropertySymbols(request).filter(
    ({ description }) => description === 'kRawRequest',
  )
  const client = key && Reflect.get(request, key)
  return typeof client?.once === 'function' && typeof client.destroy === 'function' ? client : null
}
