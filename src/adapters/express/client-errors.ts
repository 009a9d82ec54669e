import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import { type ApiResponse, bodyText, sentHeaders } from '../../http/messages.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { wait } from '../../utils/wait.ts'

type ClientError = readonly [status: number, code: string, detail: string]

const malformed: ClientError = [400, 'parse_error', 'Malformed HTTP request.']
const missingHost: ClientError = [400, 'parse_error', 'HTTP/1.1 requires the header Host.']
const refusedConnect: ClientError = [405, 'method_not_allowed', 'Method not allowed.']

/** By the code of Node's error. */
const clientErrors: Readonly<Record<string, ClientError>> = {
  HPE_INVALID_EOF_STATE: [400, 'parse_error', 'The request was cut off.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'request_too_large', 'Chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
}

/** Time for earlier responses, and for a client that still sends: closing at once would discard what it did not read. */
const lingerMs = 1000

/**
 * Responds with an error of the API to requests that Node would refuse without a body, or without a response.
 *
 * @param headerLimit the largest size of the headers of this server, in bytes
 */
export function respondToClientErrors(server: Server, headerLimit: number = maxHeaderSize): void {
  const headersTooLarge = `Request headers are too large: the limit is ${headerLimit} bytes.`
  const errors: typeof clientErrors = {
    ...clientErrors,
    HPE_HEADER_OVERFLOW: [431, 'headers_too_large', headersTooLarge],
  }
  const refused = new WeakSet<Duplex>()
  const refuse = (socket: Duplex, error: ClientError): void => {
    // After an error, each further chunk is one, too.
    if (refused.has(socket)) return
    refused.add(socket)
    socket.on('error', () => {})
    const onClose = (listener: () => void) => {
      socket.once('close', listener)
      return () => void socket.off('close', listener)
    }
    wait(lingerMs, onClose).then(() => socket.destroy())
    sendLast(socket, error)
  }
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    refuse(socket, errors[code] ?? malformed)
  })
  server.on('connect', (_request, socket) => refuse(socket, refusedConnect))
  // Node would write 100 Continue into the response that comes before a pipelined one.
  server.on('checkContinue', (request, response) => {
    if (response.socket) response.writeContinue()
    server.emit('request', request, response)
  })
  // Other expectations are ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * Returns the error for a request without a Host header, or with a target that is neither a path nor a URL. It leaves
 * the connection open: Node fails if a pipelined request follows a response that closes the connection.
 */
export function refuseHead({
  url = '',
  headers,
  httpVersion,
}: IncomingMessage): ApiResponse | null {
  if (!url.startsWith('/') && url !== '*' && !isUrl(url)) return errorResponse(malformed)
  return headers.host === undefined && httpVersion === '1.1' ? errorResponse(missingHost) : null
}

/** The limits of a head that Node does not check. */
interface HeadLimits {
  /** The longest target, in characters */
  readonly maxUrlLength?: number
  /** The largest number of headers */
  readonly maxHeaders?: number
}

/** Returns the error for a head that is larger than a limit. It leaves the connection open. */
export function refuseLargeHead(
  { url = '', rawHeaders }: IncomingMessage,
  { maxUrlLength = Infinity, maxHeaders = Infinity }: HeadLimits,
): ApiResponse | null {
  if (url.length > maxUrlLength) {
    const detail = `The URL is too long: the limit is ${maxUrlLength} characters.`
    return errorResponse([414, 'uri_too_long', detail])
  }
  // Names and values alternate.
  if (rawHeaders.length <= maxHeaders * 2) return null
  const detail = `The request has too many headers: the limit is ${maxHeaders}.`
  return errorResponse([431, 'headers_too_large', detail])
}

/** Whether a request to a proxy can name it. fetch refuses URLs with a user. */
function isUrl(target: string): boolean {
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(target) && URL.canParse(target)
}

/** Sends a response after those to the earlier requests of the connection, and closes it. */
function sendLast(socket: Duplex, error: ClientError): void {
  // The response that the connection waits for. Node has no public name for it.
  const current: ServerResponse | null = Reflect.get(socket, '_httpMessage') ?? null
  if (current?.req.complete) current.once('close', () => sendLast(socket, error))
  else if (!socket.writable || current?.headersSent) socket.destroy()
  else {
    socket.end(toHttpText(error))
    socket.resume()
  }
}

function errorResponse([status, code, detail]: ClientError): ApiResponse {
  const response = failureResponse(new Failure('parse_error', detail, { code }), resolvePolicies())
  return { ...response, status }
}

/** An error after which the connection closes, as text. */
function toHttpText(error: ClientError): string {
  const response = errorResponse(error)
  const all = { ...sentHeaders(response), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('')}`
  return `${head}\r\n${bodyText(response.body)}`
}
