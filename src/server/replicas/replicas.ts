import type { Health } from '../../remote/client.ts'
import type { RemoteSandboxInfo } from '../../remote/connect.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Simulator } from '../../simulator.ts'
import { abortOf } from '../../utils/abort.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { packageName } from '../../utils/version.ts'
import { wait } from '../../utils/wait.ts'
import { missingSandboxReason } from '../../world/replica.ts'
import { KeyRoutes, replicaHeader, totalHeader } from './key-routes.ts'
import { mergeEvents } from './merged-events.ts'
import {
  checkReplicaOptions,
  instanceId,
  type ReplicaOptions,
  toReplica,
} from './replica-options.ts'

/** In milliseconds */
const responseTimeout = 2_000
/** How long the predecessor of a replica may take to end, in milliseconds */
const endTimeout = 3_000
const pause = 1_000

interface ServerContext {
  /** The token of the control API, which all replicas share */
  readonly token: string | undefined
  /** Aborted when the server closes */
  readonly closed: AbortSignal
}

/** This replica, and what it knows of the others. */
export class Replicas {
  readonly options: ReplicaOptions
  readonly keys: KeyRoutes
  readonly #server: ServerContext
  #instance = ''

  constructor(options: ReplicaOptions, server: ServerContext) {
    this.options = options
    this.keys = new KeyRoutes(options)
    this.#server = server
  }

  get health(): NonNullable<Health['replica']> {
    const { number, of } = this.options
    return { number, of, instance: this.#instance }
  }

  /**
   * Checks that no other server has this number, as soon as this one listens. Goes on in the background until the URL
   * of this number reaches this server.
   *
   * @throws UsageError if another server has this number
   */
  async start(port: number): Promise<void> {
    this.#instance = instanceId(port)
    if (this.options.url === undefined) return
    let conflict = await this.#findConflict()
    // After a restart, the process before may still be closing its connections.
    for (let waited = 0; conflict && waited < endTimeout; waited += pause) {
      await wait(pause)
      conflict = await this.#findConflict()
    }
    if (conflict) throw new UsageError(conflict)
    if (conflict === undefined) void this.#keepLooking()
  }

  /**
   * Lists the first sandboxes of each other replica.
   *
   * @param origin the origin of this server, as the client sees it
   */
  async listSandboxes(origin: string, limit: number): Promise<MergedRows<RemoteSandboxInfo>> {
    const { rows, missing, total } = await this.#collect<RemoteSandboxInfo>(
      `/__admin/sandboxes?replicas=own&limit=${limit}`,
    )
    const served = rows.map(({ row }) => {
      const url = origin + new URL(row.url).pathname
      return { ...row, url, curl: row.curl?.replace(row.url, url) ?? null }
    })
    return { rows: served, missing, total }
  }

  /** Merges the journals of all replicas by time. Each entry has the number of its replica. */
  async mergeJournal(
    own: readonly JournalEntry[],
    query: URLSearchParams,
  ): Promise<MergedRows<JournalEntry>> {
    const filter = new URLSearchParams(query)
    for (const name of ['replica', 'replicas']) filter.delete(name)
    const others = await this.#collect<JournalEntry>(`/__admin/journal?${filter}`)
    const { number } = this.options
    const rows = [...own.map((row) => ({ row, replica: number })), ...others.rows]
      .map(({ row, replica }) => ({ ...row, replica }))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.replica - b.replica)
    const limit = filter.get('limit')
    return { ...others, rows: rows.slice(limit === null ? 0 : -Number(limit)) }
  }

  /** Merges the event streams of all journals. A replica that does not respond is tried again each second. */
  mergeEvents(own: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return mergeEvents(
      { number: this.options.number, events: own },
      this.#others.map((number) => ({
        number,
        open: (lastId, signal) => {
          const headers: HeadersInit = lastId === null ? {} : { 'last-event-id': String(lastId) }
          return this.#fetch(number, '/__admin/journal/events', { headers, signal })
        },
        readInstance: async () => (await this.#readHealth(number))?.replica?.instance ?? null,
      })),
    )
  }

  get #others(): number[] {
    const { number, of } = this.options
    return Array.from({ length: of }, (_, index) => index + 1).filter((other) => other !== number)
  }

  /** Returns a message, null if the URL of this number reaches this server, or undefined if it reaches none. */
  async #findConflict(): Promise<string | null | undefined> {
    const { number, of } = this.options
    const found = await Promise.all(
      [number, ...this.#others].map(async (other) => {
        const replica = (await this.#readHealth(other))?.replica
        return { url: this.#urlOf(other), other, replica }
      }),
    )
    for (const { url, other, replica } of found) {
      if (!replica) continue
      const isThis = replica.instance === this.#instance
      if (isThis && other !== number) {
        return `Replica ${number} of ${of} was reached at ${url}, the URL of replica ${other}. Correct --replica-url, or --replica.`
      }
      if (!isThis && replica.number === number) {
        return `Replica ${number} of ${of} is already running at ${url}. Stop it, or start this one with another number in --replica.`
      }
      if (replica.of !== of) {
        return `Replica ${replica.number} of ${replica.of} is running at ${url}, and this one is ${number} of ${of}. Give all replicas the same number after the slash in --replica.`
      }
    }
    const [own] = found
    if (!own?.replica) return undefined
    if (own.replica.number === number) return null
    return `Replica ${own.replica.number} was reached at ${own.url}, the URL of replica ${number}. Correct --replica-url, or --replica.`
  }

  async #keepLooking(): Promise<void> {
    const { number, onConflict, onWarning } = this.options
    const { closed: signal } = this.#server
    for (let attempt = 1; ; attempt++) {
      if (!(await wait(pause, abortOf(signal)))) return
      const conflict = await this.#findConflict()
      if (conflict) onConflict?.(conflict)
      if (conflict !== undefined || signal.aborted) return
      if (attempt === 10) {
        onWarning?.(
          `Replica ${number} does not respond at ${this.#urlOf(number)}, where the other replicas look for it. Check --replica-url.`,
        )
      }
    }
  }

  /** Reads a list from each other replica. */
  async #collect<T>(path: string): Promise<MergedRows<{ row: T; replica: number }>> {
    const missing: number[] = []
    let total = 0
    const lists = await Promise.all(
      this.#others.map(async (replica) => {
        try {
          const signal = AbortSignal.timeout(responseTimeout)
          const response = await this.#fetch(replica, path, { signal })
          if (response.status === 400) throw await toUsageError(response)
          if (response.ok) {
            const rows = (await response.json()) as T[]
            total += Number(response.headers.get(totalHeader) ?? rows.length)
            return rows.map((row) => ({ row, replica }))
          }
        } catch (error) {
          if (error instanceof UsageError) throw error
        }
        missing.push(replica)
        return []
      }),
    )
    return { rows: lists.flat(), missing: missing.sort((a, b) => a - b), total }
  }

  async #readHealth(number: number): Promise<Health | null> {
    try {
      const signal = AbortSignal.timeout(responseTimeout)
      const response = await fetch(`${this.#urlOf(number)}/__admin/health`, { signal })
      const health = (await response.json()) as Health | null
      return health?.name === packageName ? health : null
    } catch {
      return null
    }
  }

  #fetch(number: number, path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set(replicaHeader, String(number))
    const { token } = this.#server
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return fetch(this.#urlOf(number) + path, { ...init, headers })
  }

  #urlOf(number: number): string {
    return (this.options.url ?? '').replaceAll('{n}', String(number)).replace(/\/$/, '')
  }
}

interface MergedRows<T> {
  readonly rows: readonly T[]
  /** How many rows the other replicas have */
  readonly total: number
  /** The numbers of the replicas that did not respond */
  readonly missing: readonly number[]
}

/**
 * Makes a simulator name a replica in what it issues.
 *
 * @throws UsageError for an invalid option, and for a simulator with sandboxes, whose ids name no replica
 */
export function openReplicas(
  simulator: Simulator,
  options: ReplicaOptions,
  server: ServerContext,
): Replicas {
  checkReplicaOptions(options)
  const { sandbox } = simulator
  if (sandbox.replica === null && simulator.sandboxes.count > 0) {
    throw new UsageError(
      'Failed to listen as a replica: the simulator has sandboxes, whose keys name no replica. Create them after listen().',
      'replica',
    )
  }
  sandbox.replica = toReplica(options)
  const { replica, missing } = sandbox
  sandbox.missing = {
    reasonOf: (id) => missing?.reasonOf(id) ?? missingSandboxReason(id, replica),
    keys: missing?.keys ?? new Map(),
  }
  return new Replicas(options, server)
}

/** @throws UsageError unless this is a replica that knows the others, and the journal is its own */
export function knownReplicas(context: {
  readonly replicas: Replicas | null
  readonly simulator: object
  readonly root: object
}): Replicas {
  const { replicas, simulator, root } = context
  const isOwn = simulator === root
  if (isOwn && replicas?.options.url) return replicas
  const problem = isOwn
    ? 'This server knows no other replicas. Start it with --replica and --replica-url.'
    : 'A sandbox is on one replica only. Read its journal without replicas=all.'
  throw new UsageError(problem, 'replicas')
}

/** The filter of a journal is wrong for each replica alike. */
async function toUsageError(response: Response): Promise<UsageError> {
  const { detail, attr } = (await response.json()) as { detail: string; attr: string | null }
  return new UsageError(detail, attr)
}
