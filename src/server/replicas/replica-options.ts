import { hostname } from 'node:os'
import process from 'node:process'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Replica } from '../../world/replica.ts'

/** Which of several replicas a server is. */
export interface ReplicaOptions extends Replica {
  /** Where the replicas reach each other. `{n}` stands for the number of a replica: `http://understudy-{n}:4010` */
  readonly url?: string
  /** Called if another process turns out to have the same number. By default, the server only stops to look. */
  readonly onConflict?: (message: string) => void
  /** Called with a warning if this replica cannot be reached at its own URL. */
  readonly onWarning?: (message: string) => void
}

/** Parses `2/4`. @throws UsageError for any other text */
export function parseReplica(text: string, task: string): Replica {
  const [, number, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []
  if (Number(number) <= Number(of)) return { number: Number(number), of: Number(of) }
  const expected = 'the number of this replica and the number of all replicas, such as 2/4'
  throw unexpectedValue(task, expected, text)
}

/** @throws UsageError for a template without `{n}`, and for one that is no origin, such as a URL with a password */
export function checkReplicaUrl(url: string, task: string): string {
  const filled = url.replaceAll('{n}', '1')
  const isOrigin = /^https?:\/\/[^/?#@]+\/?$/.test(filled) && URL.canParse(filled)
  if (isOrigin && filled !== url) return url
  const expected =
    'the origin of the replicas with {n} for their number, such as http://understudy-{n}:4010'
  throw unexpectedValue(task, expected, url)
}

/** @throws UsageError for an option of the wrong type */
export function checkReplicaOptions(options: ReplicaOptions): ReplicaOptions {
  const { number, of, run, url } = Object(options) as ReplicaOptions
  parseReplica(`${number}/${of}`, 'read the option replica')
  if (run !== undefined && !/^[a-z\d]{1,16}$/.test(run)) {
    throw unexpectedValue(
      'read the option replica',
      'up to 16 small letters and digits as run',
      run,
    )
  }
  if (url !== undefined) checkReplicaUrl(url, 'read the option replica')
  return options
}

/** What a replica names in what it issues. */
export function toReplica({ number, of, run }: ReplicaOptions): Replica {
  return { number, of, ...(run !== undefined && { run }) }
}

/** A text that differs for each run of a replica: the time at which its process started. */
export function currentRun(): string {
  return Math.round(performance.timeOrigin).toString(36)
}

/** Distinguishes the servers that run at the same time, and shows nothing of their machine. */
export function instanceId(port: number): string {
  const parts = [hostname(), process.pid, port, performance.timeOrigin, performance.now()]
  // An import would load it for every server.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)
}
