/**
 * Whether an address leads to this machine alone.
 *
 * @param host with or without a port; an IPv6 address with or without brackets
 * @example isLoopback('127.0.0.1:4010') // true
 */
export function isLoopback(host: string): boolean {
  return /^(?:::1|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(host)
}

/** An address at which this machine reaches what listens at one; a server may listen at all that there are. */
export function reachableAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
