import {
  type IncomingMessage,
  METHODS,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'

/** What a client sent instead of a request. */
export interface InvalidRequest {
  /** Null if no method can be read */
  readonly method: string | null
  /** Null if no path can be read. It can contain keys */
  readonly url: string | null
  /** 0 without a response */
  readonly status: number
  /** What is wrong, and what to do */
  readonly reason: string
}

type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/** The statuses with which Node answers. All others are 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Tells what is no request, which otherwise no log has. The client gets the response that Node sends. */
export function followInvalidRequests(
  server: Server<typeof IncomingMessage, typeof ServerResponse>,
  onInvalidRequest: (request: InvalidRequest) => void,
): void {
  server.on('clientError', (error: ParseError, stream) => {
    const socket = stream as Socket & { readonly _httpMessage?: ServerResponse }
    // A client that disconnects is none.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy()
    const problem = describe(error)
    onInvalidRequest(problem)
    const { status } = problem
    if (status > 0 && socket.writable && !socket._httpMessage?.headersSent) {
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`)
    }
    socket.destroySoon()
  })
}

const tlsReasons: Readonly<Record<string, string>> = {
  ERR_SSL_HTTP_REQUEST:
    'a request over HTTP, but the server speaks HTTPS: write https:// in the URL',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA:
    'a client that does not trust the certificate: in Node, name its file in NODE_EXTRA_CA_CERTS',
}

function describe({ code = '', message, rawPacket }: ParseError): InvalidRequest {
  const tlsReason = tlsReasons[code]
  if (tlsReason !== undefined) return { method: null, url: null, status: 0, reason: tlsReason }
  const status = statuses[code] ?? 400
  const text = rawPacket?.toString('latin1') ?? ''
  const [, method = null, url = null] = /^(\S+) (\S+) HTTP\/1/.exec(text) ?? []
  const request = { method, url, status }
  if (text.startsWith('\x16\x03')) {
    const reason = 'a request over HTTPS, but the server speaks HTTP: write http:// in the URL'
    return { ...request, reason }
  }
  if (text.startsWith('PRI * HTTP/2')) {
    const reason = 'HTTP/2, but the server speaks HTTP/1.1: let the client use that'
    return { ...request, reason }
  }
  const meant = method?.toUpperCase() ?? ''
  if (method !== meant && METHODS.includes(meant)) {
    return { ...request, reason: `methods are upper case: send ${meant}` }
  }
  if (status === 431) return { ...request, reason: 'headers of more than 16 KiB' }
  return { ...request, reason: `no valid request (${message})` }
}
