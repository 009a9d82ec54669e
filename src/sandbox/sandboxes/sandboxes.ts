import { type BaseUrl, formatBaseUrl, sandboxPrefix } from '../../http/base-url.ts'
import type { SandboxResolver } from '../../http/context.ts'
import {
  LimitError,
  rejectUnknownFields,
  UsageError,
  unexpectedValue,
} from '../../utils/usage-error.ts'
import { formatIsoTime, isTimeInRange } from '../../world/clock/time.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Sandbox } from '../sandbox.ts'
import { type SandboxEntry, SandboxRegistry } from './registry.ts'
import { replaceKeys } from './sandbox-keys.ts'
import { deriveSandbox, type SandboxRequest, sandboxFields } from './sandbox-request.ts'
import { createSandboxResolver } from './sandbox-resolver.ts'
import { hasSource, openSource, type WorldSources } from './world-sources.ts'

/**
 * Isolated worlds beside the world of a simulator. The key or the URL of a request selects its sandbox.
 *
 * @typeParam T the simulator that is opened for each sandbox
 * @example const { keys, url } = simulator.sandboxes.create({ from: 'empty', ttl_s: 600 })
 */
export class Sandboxes<T> {
  readonly #host: SandboxHost<T>
  readonly #entries: SandboxRegistry<T>
  readonly #sources: WorldSources
  readonly #listeners = new Set<(id: string, simulator: never) => void>()
  #number = 0
  /** Selects the sandbox of a request. */
  readonly resolver: SandboxResolver<Sandbox>

  constructor(host: SandboxHost<T>) {
    this.#host = host
    this.#entries = new SandboxRegistry(host.sandbox)
    this.resolver = createSandboxResolver(host.sandbox, this.#entries)
    const { byId: sandboxes } = this.#entries
    this.#sources = { snapshots: host.snapshots, sandboxes, fixtures: new Map() }
  }

  /** How many there are. */
  get count(): number {
    this.#entries.endExpired()
    return this.#entries.byId.size
  }

  /** The most there can be at once. */
  get limit(): number {
    return this.#host.limit
  }

  /**
   * Begins another world: with the rows that `from` names, and fresh keys of the same scopes.
   *
   * @throws UsageError for what it cannot begin with; LimitError when there are as many as there may be
   */
  create(request: SandboxRequest = {}): SandboxInfo {
    rejectUnknownFields(request, sandboxFields, 'create a sandbox')
    checkLimit(this.count, this.limit)
    const { sandbox: host, open } = this.#host
    const { from, keys = {}, ttl_s } = request
    const expiresAt = expiryTime(ttl_s, host.clock.now())
    const sandbox = deriveSandbox(openSource(host, from, this.#sources), request)
    const number = this.#number + 1
    sandbox.number = number
    const isTaken = (key: string): boolean => this.#entries.byKey(key) !== undefined
    const isFree = (key: string): boolean => !isTaken(key) && !host.tables.keys.get(key)
    replaceKeys(sandbox, keys, isTaken, isFree)
    const initialKeys = new Set([...sandbox.tables.keys.values()].map(({ value }) => value))
    const entry = {
      id: `sandbox-${number}`,
      sandbox,
      simulator: open(sandbox),
      expiresAt,
      initialKeys,
    }
    const info = this.#show(entry)
    this.#number = number
    this.#entries.add(entry)
    for (const listener of this.#listeners) listener(entry.id, entry.simulator as never)
    return info
  }

  /** Tells of each sandbox that begins, before anything is asked of it. @returns ends that */
  follow(listener: (id: string, simulator: T) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Makes a world known by a name, for sandboxes to begin with. @throws UsageError with every fault */
  addFixture(name: string, world: WorldJson): void {
    this.#sources.fixtures.set(name, loadWorld(world))
  }

  /** Whether a sandbox can begin with what a name stands for. */
  hasSource(name: string): boolean {
    this.#entries.endExpired()
    return hasSource(name, this.#sources)
  }

  /** The rows that a name stands for, to begin with. @throws UsageError for a name that nothing has */
  loadSource(name: string): LoadedWorld {
    this.#entries.endExpired()
    return openSource(this.#host.sandbox, name, this.#sources, 'replay the scenario').loaded
  }

  /** Those that have not ended, the oldest first. */
  list(): SandboxInfo[] {
    this.#entries.endExpired()
    return [...this.#entries.byId.values()].map((entry) => this.#show(entry))
  }

  /** What a caller needs to know of one; undefined where there is none. */
  info(id: string): SandboxInfo | undefined {
    const entry = this.#entries.get(id)
    return entry && this.#show(entry)
  }

  /** The simulator of one, with its world, clock, faults and journal; undefined where there is none. */
  get(id: string): T | undefined {
    return this.#entries.get(id)?.simulator
  }

  /** Ends one and frees what it holds; false when there is none of that id. */
  delete(id: string): boolean {
    return this.#entries.delete(id)
  }

  /** Ends those whose time has come. Any request does so as well: there are no timers. */
  endExpired(): void {
    this.#entries.endExpired()
  }

  #show(entry: SandboxEntry<T>): SandboxInfo {
    return toSandboxInfo(entry, this.#host.base)
  }
}

/** A sandbox, as whoever talks to it needs to know it. */
export interface SandboxInfo {
  readonly id: string
  /** The base URL for requests without a key, and for the control API of this sandbox */
  readonly url: string
  readonly keys: readonly {
    readonly value: string
    readonly label: string | null
    readonly scopes: readonly string[] | null
  }[]
  readonly projects: readonly {
    readonly id: number
    readonly name: string
    readonly organization: string
  }[]
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  /** ISO 8601, UTC; null for one that does not end by itself */
  readonly expires_at: string | null
}

interface ListedSandbox {
  readonly id: string
  readonly sandbox: Sandbox
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null
}

/** What is told of a sandbox that stands below a base. */
function toSandboxInfo({ id, sandbox, expiresAt }: ListedSandbox, base: BaseUrl): SandboxInfo {
  const { keys, projects, organizations } = sandbox.tables
  return {
    id,
    url: `${formatBaseUrl(base)}${sandboxPrefix}/${id}`,
    keys: [...keys.values()]
      .filter(({ value }) => !sandbox.isTakenElsewhere(value))
      .map(({ value, label, scopes }) => ({ value, label, scopes })),
    projects: [...projects.values()].map((row) => ({
      id: row.id,
      name: row.name,
      organization: row.organization,
    })),
    organizations: [...organizations.values()].map((row) => ({ id: row.id, name: row.name })),
    expires_at: expiresAt === null ? null : formatIsoTime(expiresAt),
  }
}

/** What sandboxes stand beside. */
interface SandboxHost<T> {
  readonly sandbox: Sandbox
  readonly base: BaseUrl
  readonly snapshots: WorldSources['snapshots']
  /** The most sandboxes there can be at once; 0 for a sandbox, which has none of its own. */
  readonly limit: number
  /** Makes a simulator of a sandbox. */
  readonly open: (sandbox: Sandbox) => T
}

/** @throws LimitError when there are as many sandboxes as there may be; UsageError where there is never one */
function checkLimit(count: number, limit: number): void {
  if (count < limit) return
  if (limit > 0) {
    throw new LimitError(
      `Failed to create a sandbox: expected at most ${limit} at once. Delete some, or let them end by ttl_s.`,
    )
  }
  throw new UsageError(
    'Failed to create a sandbox: expected a simulator, got a sandbox, which has none of its own. ' +
      'Create it beside this one: simulator.sandboxes.create({ from: id }).',
  )
}

/**
 * When a sandbox ends by itself.
 *
 * @param seconds undefined for never
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970; null for never
 * @throws UsageError for what is no length of time, or leads out of the years 1 to 9999
 */
function expiryTime(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null
  const isLength = Number.isFinite(seconds) && seconds > 0
  const expiry = now + seconds * 1000
  if (isLength && isTimeInRange(expiry)) return expiry
  const expected = isLength
    ? 'ttl_s to end in the years 1 to 9999'
    : 'ttl_s to be a number of seconds above 0'
  throw unexpectedValue('create a sandbox', expected, seconds, undefined, 'ttl_s')
}
