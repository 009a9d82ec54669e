import { expect, test } from 'vitest'
import { classifyLoss } from '../../../../src/adapters/har/lost-response.ts'

const texts: Readonly<Record<string, readonly string[]>> = {
  unsent: [
    'net::ERR_BLOCKED_BY_CLIENT',
    'net::ERR_BLOCKED_BY_CSP',
    'NS_ERROR_CONTENT_BLOCKED',
    'Blocked by Content Security Policy',
  ],
  blocked: ['net::ERR_BLOCKED_BY_RESPONSE', 'net::ERR_BLOCKED_BY_ORB', 'net::ERR_FAILED'],
  unreachable: [
    'net::ERR_INTERNET_DISCONNECTED',
    'net::ERR_NAME_NOT_RESOLVED',
    'net::ERR_CONNECTION_REFUSED',
    'net::ERR_CERT_AUTHORITY_INVALID',
    'NS_ERROR_UNKNOWN_HOST',
    'Could not connect to the server.',
    '[Errno 111] Connect call failed',
    'connect ECONNREFUSED 127.0.0.1:1',
  ],
  cut: [
    'net::ERR_CONTENT_LENGTH_MISMATCH',
    'net::ERR_INCOMPLETE_CHUNKED_ENCODING',
    'NS_ERROR_NET_PARTIAL_TRANSFER',
  ],
  timeout: ['net::ERR_TIMED_OUT', 'NS_ERROR_NET_TIMEOUT', 'The request timed out.'],
  cancelled: ['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'cancelled', 'canceled'],
  aborted: ['Client disconnected.', 'Connection killed.'],
  reset: [
    'net::ERR_EMPTY_RESPONSE',
    'net::ERR_CONNECTION_RESET',
    'net::ERR_HTTP2_PROTOCOL_ERROR',
    'net::ERR_NETWORK_CHANGED',
    'NS_ERROR_NET_RESET',
    'socket hang up',
    'The network connection was lost.',
    'server closed connection',
  ],
  unknown: ['', 'Load failed'],
}

const cases = Object.entries(texts).flatMap(([kind, list]) => list.map((text) => [text, kind]))

test.each(cases)('the error "%s" of a client is the kind %s', (text, kind) => {
  expect(classifyLoss(text as string)).toBe(kind)
})
