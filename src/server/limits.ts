import type { Server, ServerOptions } from 'node:http'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'

/** Limits of a server. By default they are those of Node, but for `keepAliveTimeout`. */
export interface ServerLimits {
  /** The largest number of connections at once. The server closes further ones. By default no limit */
  readonly maxConnections?: number
  /** The largest number of requests of one connection: the last response has `Connection: close`. By default no limit */
  readonly maxRequestsPerSocket?: number
  /** The longest target of a request, in characters. A longer one gets 414. By default only `maxHeaderSize` limits it. */
  readonly maxUrlLength?: number
  /** The largest size of request line and headers, in bytes. More get 431. By default 16 KiB */
  readonly maxHeaderSize?: number
  /** The largest number of header lines. More get 431. By default 1,000 */
  readonly maxHeaders?: number
  /** The time until the headers of a request are complete, in milliseconds, or 0 for no limit. By default 60,000 */
  readonly headersTimeout?: number
  /** The time until a request is complete, in milliseconds, or 0 for no limit. By default 300,000 */
  readonly requestTimeout?: number
  /**
   * The time after which an idle connection is closed, in milliseconds. By default 75,000, which is longer than that of
   * proxies: a connection that both ends close at once loses a request.
   */
  readonly keepAliveTimeout?: number
}

/** The limits with the descriptions of their flags. */
export const serverLimits: Readonly<Record<keyof ServerLimits, string>> = {
  maxConnections: '<number> largest number of connections; further ones are closed',
  maxRequestsPerSocket: '<number> largest number of requests of one connection',
  maxUrlLength: '<number> longest path with its query, in characters',
  maxHeaderSize: '<bytes> largest size of the request line and the headers (default: 16384)',
  maxHeaders: '<number> largest number of headers (default: 1000)',
  headersTimeout: '<ms> time until the headers are complete; 0 for no limit (default: 60000)',
  requestTimeout: '<ms> time until the request is complete; 0 for no limit (default: 300000)',
  keepAliveTimeout: '<ms> time after which an idle connection is closed (default: 75000)',
}

/** Checks one limit. @param flag its flag, if it comes from one @throws UsageError */
export function checkLimit(name: keyof ServerLimits, value: unknown, flag?: string): void {
  const least = name === 'headersTimeout' || name === 'requestTimeout' ? 0 : 1
  if (Number.isInteger(value) && Number(value) >= least && Number(value) < 2 ** 31) return
  const range = `a whole number from ${least} to ${2 ** 31 - 1}`
  if (flag !== undefined) throw unexpectedValue(`read ${flag}`, range, value)
  throw unexpectedValue('listen', `${name} to be ${range}`, value, undefined, name)
}

export const defaultMaxHeaders = 1_000
/** The default of Node, in milliseconds */
const defaultRequestTimeout = 300_000
/** In milliseconds. nginx and HAProxy close idle connections after 60 seconds. */
const defaultKeepAliveTimeout = 75_000
/** How often Node looks for slow clients by default, in milliseconds */
const defaultInterval = 30_000

/** Returns the limits that Node takes when it creates a server. @throws UsageError for an invalid limit */
export function limitOptions(limits: ServerLimits): ServerOptions {
  for (const name of Object.keys(serverLimits) as (keyof ServerLimits)[]) {
    if (limits[name] !== undefined) checkLimit(name, limits[name])
  }
  const { maxHeaderSize, headersTimeout = 0, requestTimeout = defaultRequestTimeout } = limits
  if (requestTimeout > 0 && headersTimeout > requestTimeout) {
    throw new UsageError(
      `Failed to listen: expected headersTimeout (--headers-timeout) to be at most requestTimeout (${requestTimeout}), got ${headersTimeout}. Raise requestTimeout (--request-timeout), or set it to 0.`,
      'headersTimeout',
    )
  }
  const times = [headersTimeout, requestTimeout, defaultInterval].filter((time) => time > 0)
  return {
    connectionsCheckingInterval: Math.min(...times),
    keepAliveTimeout: limits.keepAliveTimeout ?? defaultKeepAliveTimeout,
    ...(maxHeaderSize && { maxHeaderSize }),
    ...(limits.headersTimeout !== undefined && { headersTimeout }),
    ...(limits.requestTimeout !== undefined && { requestTimeout }),
  }
}

/** Sets the limits that Node takes after it created a server. */
export function applyLimits(
  server: Server,
  { maxConnections, maxRequestsPerSocket }: ServerLimits,
): void {
  if (maxConnections) server.maxConnections = maxConnections
  if (maxRequestsPerSocket) server.maxRequestsPerSocket = maxRequestsPerSocket
  // The server counts the headers itself: beyond a count, Node ignores them or refuses the request, depending on its
  // version. `maxHeaderSize` bounds them meanwhile.
  server.maxHeadersCount = 0
}
