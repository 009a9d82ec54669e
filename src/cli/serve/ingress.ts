import { readFileSync } from 'node:fs'
import { parseNeighbours } from '../../sandbox/neighbours.ts'
import type { Neighbours, SimulatorOptions } from '../../sandbox/simulator-options.ts'
import { parseForward } from '../../server/forwarding.ts'
import type { TrustProxy } from '../../server/middleware.ts'
import type { TlsFiles } from '../../server/tls.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { isLoopback } from '../../utils/network.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { suggestWord, UsageError, unexpectedValue } from '../../utils/usage-error.ts'

/** The flags that say how requests reach the server, and who gets those outside the API. */
export interface IngressFlags {
  readonly forward?: string
  readonly forwardKeys?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly trustProxy?: TrustProxy
}

/** Reads files of `--neighbours`. @throws UsageError for a file that cannot be read or is invalid */
export function readNeighbours(names: readonly string[]): Pick<SimulatorOptions, 'neighbours'> {
  if (names.length === 0) return {}
  return { neighbours: names.map((name) => (name === 'default' ? name : readNeighbourFile(name))) }
}

function readNeighbourFile(file: string): Neighbours {
  const hint = suggestWord(file, ['default'])
  const content = parseJsonText(readBytes(file, hint).toString(), file)
  try {
    return parseNeighbours(content)
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message}`)
  }
}

/** Parses a host name, or several, separated by commas. */
export function parseIntercept(text: string, before: readonly string[]): readonly string[] {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase().replace(/\.$/, ''))
  for (const host of hosts) {
    if (/^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/.test(host) && !isLoopback(host)) continue
    const expected = 'the name of a host, such as app.example.com'
    throw unexpectedValue('read --intercept (or UNDERSTUDY_INTERCEPT)', expected, host)
  }
  return [...before, ...hosts]
}

export function parseForwardFlag(text: string): string {
  parseForward(text, '', 0, 'read --forward (or UNDERSTUDY_FORWARD)')
  return text
}

/** Express takes lists of addresses as text, but not booleans and numbers. */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^(true|false)$/.test(text)) return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** Reads the certificate and its key. @throws UsageError for a missing file, and for one flag without the other */
export function readIngress({ tlsCert, tlsKey, forward, forwardKeys }: IngressFlags): {
  tls?: TlsFiles
} {
  if (forwardKeys && forward === undefined) {
    throw new UsageError('--forward-keys requires --forward.')
  }
  if (tlsCert === undefined && tlsKey === undefined) return {}
  if (tlsCert === undefined) throw new UsageError('--tls-key requires --tls-cert.')
  if (tlsKey === undefined) throw new UsageError('--tls-cert requires --tls-key.')
  return { tls: { cert: readBytes(tlsCert), key: readBytes(tlsKey) } }
}

function readBytes(file: string, hint = ''): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(unreadableFileError(file, error).message + hint)
  }
}
