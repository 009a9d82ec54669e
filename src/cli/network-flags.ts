import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { parseNeighbours } from '../sandbox/neighbours.ts'
import type { Neighbours, SimulatorOptions } from '../sandbox/simulator-options.ts'
import { parseForward } from '../server/forwarding.ts'
import { checkLimit, type ServerLimits, serverLimits } from '../server/limits.ts'
import type { TrustProxy } from '../server/middleware.ts'
import {
  checkReplicaUrl,
  currentRun,
  parseReplica,
  type ReplicaOptions,
} from '../server/replicas/replica-options.ts'
import type { TlsFiles } from '../server/tls.ts'
import { unreadableFileError } from '../utils/files.ts'
import { isLoopback } from '../utils/network.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { suggestWord, UsageError, unexpectedValue } from '../utils/usage-error.ts'
import type { Replica } from '../world/replica.ts'
import { variableName } from './common-options.ts'

/** The flags that say how requests reach the server, and who gets those outside the API. */
export interface NetworkFlags {
  readonly forward?: string
  readonly forwardKeys?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly trustProxy?: TrustProxy
  readonly replica?: Replica
  readonly replicaUrl?: string
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

export function replicaOptions(): Option[] {
  return [
    new Option(
      '--replica <n/of>',
      'which of several servers behind a proxy this is, such as 2/4: keys and ids name it',
    ).argParser((text) => parseReplica(text, 'read --replica (or UNDERSTUDY_REPLICA)')),
    new Option(
      '--replica-url <url>',
      'where the replicas reach each other, with {n} for their number: http://understudy-{n}:4010',
    ).argParser((text) => checkReplicaUrl(text, 'read --replica-url (or UNDERSTUDY_REPLICA_URL)')),
  ]
}

/**
 * Which replica the flags describe. Without `--seed`, each run issues other keys.
 *
 * @throws UsageError for `--replica-url` without `--replica`
 */
export function readReplica(
  { replica, replicaUrl: url, seed }: NetworkFlags & { readonly seed?: number },
  callbacks: Pick<ReplicaOptions, 'onConflict' | 'onWarning'>,
): { replica?: ReplicaOptions } {
  if (replica === undefined) {
    if (url === undefined) return {}
    throw new UsageError('--replica-url requires --replica.')
  }
  const run = seed === undefined ? { run: currentRun() } : {}
  return { replica: { ...replica, ...run, ...(url !== undefined && { url }), ...callbacks } }
}

/** Creates the flags of the limits: `--max-connections <number>` of `maxConnections`. */
export function limitOptions(): Option[] {
  return Object.entries(serverLimits).map(([name, description]) => {
    const [value = '', ...words] = description.split(' ')
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const option = new Option(`${flag} ${value}`, words.join(' '))
    return option.argParser((text) => {
      const number = /^\d+$/.test(text) ? Number(text) : text
      checkLimit(name as keyof ServerLimits, number, `${flag} (or ${variableName(option)})`)
      return number
    })
  })
}

/** Reads the certificate and its key. @throws UsageError for a missing file, and for one flag without the other */
export function readTlsFiles({ tlsCert, tlsKey, forward, forwardKeys }: NetworkFlags): {
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
