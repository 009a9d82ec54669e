/**
 * Whether an address leads to this machine alone.
 *
 * @param host with or without a port; an IPv6 address with or without brackets
 * @example isLoopback('127.0.0.1:4010') // true
 */
export function isLoopback(host: string): boolean {
  return /^(?:::1|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(host)
}
