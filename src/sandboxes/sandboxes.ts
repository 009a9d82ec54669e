import { keyOf } from '../http/access.ts'
import type { Head } from '../http/call.ts'
import type { Base } from '../http/path.ts'
import type { WorldSandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import { UsageError, unexpected } from '../usage-error.ts'
import { begin, type Sources } from './begin.ts'
import { renewKeys } from './fresh-keys.ts'
import { infoOf, type SandboxInfo } from './info.ts'
import { KeyIndex } from './key-index.ts'
import type { SandboxRequest } from './request.ts'

/** What sandboxes stand beside. */
export interface Host {
  readonly sandbox: WorldSandbox
  readonly base: Base
  readonly snapshots: Sources['snapshots']
  /** The most sandboxes there can be at once. */
  readonly limit: number
  /** Makes a simulator of a sandbox. */
  readonly open: (sandbox: WorldSandbox) => Simulator
}

interface Entry {
  readonly id: string
  readonly sandbox: WorldSandbox
  readonly simulator: Simulator
  /** Milliseconds since 1970, by the clock of the host. */
  readonly expiresAt: number | null
}

/**
 * Isolated worlds beside the simulator's own. A request is answered from the one that its key is of, or that
 * its address names.
 *
 * @example const { keys, url } = simulator.sandboxes.create({ from: 'empty', ttl_s: 600 })
 */
export class Sandboxes {
  readonly #host: Host
  readonly #entries = new Map<string, Entry>()
  readonly #keys = new KeyIndex<Entry>()
  #count = 0

  constructor(host: Host) {
    this.#host = host
  }

  /** How many there are. */
  get count(): number {
    this.#endExpired()
    return this.#entries.size
  }

  /** The most there can be at once. */
  get limit(): number {
    return this.#host.limit
  }

  /**
   * Begins another world: with the rows that `from` names, and fresh keys of the same scopes.
   *
   * @throws UsageError for what it cannot begin with, and when there are as many as there may be
   */
  create(request: SandboxRequest = {}): SandboxInfo {
    const { limit, sandbox: host, open, snapshots } = this.#host
    if (this.count >= limit) {
      throw new UsageError(
        `Failed to create a sandbox: expected at most ${limit} at once. Delete some, or let them end by ttl_s.`,
      )
    }
    const expiresAt = this.#expiryOf(request.ttl_s)
    const sandbox = begin(host, request, { snapshots, sandboxes: this.#entries })
    const id = `sandbox-${this.#count + 1}`
    const isTaken = (value: string) => this.#keys.get(value) !== undefined
    renewKeys(sandbox, request.keys ?? {}, { seed: host.seed, salt: this.#count + 1, isTaken })
    this.#count += 1
    const entry = { id, sandbox, simulator: open(sandbox), expiresAt }
    this.#entries.set(id, entry)
    this.#keys.add(entry)
    return this.#show(entry)
  }

  /** Those that have not ended, the oldest first. */
  list(): SandboxInfo[] {
    this.#endExpired()
    return [...this.#entries.values()].map((entry) => this.#show(entry))
  }

  /** What a caller needs to know of one; undefined where there is none. */
  info(id: string): SandboxInfo | undefined {
    const entry = this.#alive(this.#entries.get(id))
    return entry && this.#show(entry)
  }

  /** The simulator of one, with its world, clock, faults and journal; undefined where there is none. */
  get(id: string): Simulator | undefined {
    return this.#alive(this.#entries.get(id))?.simulator
  }

  /** Ends one and frees what it holds; false when there is none of that id. */
  delete(id: string): boolean {
    const entry = this.#entries.get(id)
    if (entry) this.#keys.delete(entry)
    return this.#entries.delete(id)
  }

  /** Where a request is answered; undefined where its address names a sandbox that is not there. */
  choose(named: string | undefined, head: Head): WorldSandbox | undefined {
    if (named !== undefined) return this.#alive(this.#entries.get(named))?.sandbox
    if (this.#entries.size === 0) return this.#host.sandbox
    const key = keyOf(head)
    const entry = key === null ? undefined : this.#alive(this.#keys.get(key))
    return entry?.sandbox ?? this.#host.sandbox
  }

  #expiryOf(seconds: number | undefined): number | null {
    if (seconds === undefined) return null
    if (Number.isFinite(seconds) && seconds > 0)
      return this.#host.sandbox.clock.now() + seconds * 1000
    throw unexpected('create a sandbox', 'ttl_s to be a number of seconds above 0', seconds)
  }

  /** An entry whose time has not come. */
  #alive(entry: Entry | undefined): Entry | undefined {
    if (!entry || entry.expiresAt === null) return entry
    if (entry.expiresAt > this.#host.sandbox.clock.now()) return entry
    this.delete(entry.id)
    return undefined
  }

  #endExpired(): void {
    for (const entry of [...this.#entries.values()]) this.#alive(entry)
  }

  #show(entry: Entry): SandboxInfo {
    return infoOf(entry, this.#host.base)
  }
}
