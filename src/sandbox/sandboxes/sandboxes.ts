import type { SandboxResolver } from '../../http/endpoint.ts'
import { type BaseUrl, formatBaseUrl, sandboxPrefix } from '../../http/url.ts'
import {
  didYouMean,
  LimitError,
  listWords,
  rejectUnknownFields,
  UsageError,
  unexpectedValue,
} from '../../utils/errors.ts'
import { formatIsoTime, isTimeInRange } from '../../world/clock/clock.ts'
import type { BuiltInWorld, FixtureName, LoadedWorld } from '../../world/load/build-world.ts'
import { builtInWorldNames } from '../../world/load/built-in-worlds.ts'
import { loadWorld, openWorld } from '../../world/load/load-world.ts'
import {
  hasAllScopes,
  type KeyRow,
  type OrganizationRow,
  type ProjectRow,
} from '../../world/rows.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { Sandbox } from '../sandbox.ts'
import { type ForkOptions, forkOptionNames } from '../simulator-options.ts'
import { type RegisteredSandbox, SandboxRegistry } from './registry.ts'
import { replaceKeys } from './sandbox-keys.ts'

/** Options of `simulator.sandboxes.create`. The defaults are those of the world named by `from`. */
export interface SandboxRequest extends ForkOptions {
  /** What its requests belong to, such as a test. Their journal entries and the report of the run say it. */
  readonly name?: string
  /**
   * The name of a fixture, a snapshot or another sandbox. Defaults to the world that the simulator started with.
   * Another sandbox provides its settings and its clock as well as its rows.
   */
  readonly from?: string
  /** Seconds until the sandbox ends, by the clock of the simulator. By default it does not end. */
  readonly ttl_s?: number
  /**
   * Values of its keys, by the label or the value that a key has in its world. The other values are generated. A
   * chosen value selects the sandbox even if the simulator has a key with this value.
   */
  readonly keys?: Readonly<Record<string, string>>
}

const sandboxOptionNames: readonly string[] = ['name', 'from', ...forkOptionNames, 'ttl_s', 'keys']

/** Calculates when a sandbox ends, in milliseconds since 1970. @throws UsageError for an invalid number of seconds */
function expiryTime(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null
  const isPositive = Number.isFinite(seconds) && seconds > 0
  const expiry = now + seconds * 1000
  if (isPositive && isTimeInRange(expiry)) return expiry
  const expected = isPositive
    ? 'ttl_s to end before the year 10000'
    : 'ttl_s to be a positive number of seconds'
  throw unexpectedValue('create a sandbox', expected, seconds, undefined, 'ttl_s')
}

/**
 * Isolated worlds beside the world of a simulator. The key or the URL of a request selects its sandbox.
 *
 * @typeParam T the simulator that is opened for each sandbox
 * @example const { key, url } = simulator.sandboxes.create({ from: 'empty', ttl_s: 600 })
 */
export class Sandboxes<T> {
  readonly #host: SandboxHost<T>
  readonly #registry: SandboxRegistry<T>
  readonly #sources: WorldSources
  // `never` keeps Sandboxes covariant in T.
  readonly #listeners = new Set<(id: string, simulator: never) => void>()
  #lastNumber = 0
  /** Selects the sandbox of a request. */
  readonly resolver: SandboxResolver<Sandbox>

  constructor(host: SandboxHost<T>) {
    this.#host = host
    this.#registry = new SandboxRegistry(host.sandbox)
    this.resolver = this.#registry
    const { byId: sandboxes } = this.#registry
    this.#sources = { snapshots: host.snapshots, sandboxes, fixtures: new Map() }
  }

  /** The number of sandboxes. */
  get count(): number {
    this.#registry.endExpired()
    return this.#registry.byId.size
  }

  /** The largest number of sandboxes at once. */
  get limit(): number {
    return this.#host.limit
  }

  /**
   * Creates a sandbox with the rows that `from` names, and with new keys of the same scopes.
   *
   * @throws UsageError for an invalid option
   * @throws LimitError if the limit is reached
   */
  create(request: SandboxRequest & { readonly from: FixtureName }): SandboxInfo & WithKey
  create(request?: SandboxRequest): SandboxInfo
  create(request: SandboxRequest = {}): SandboxInfo {
    rejectUnknownFields(request, sandboxOptionNames, 'create a sandbox')
    checkLimit(this.count, this.limit)
    const { sandbox: host, open } = this.#host
    const { name = null, from, keys = {}, ttl_s } = request
    const expiresAt = expiryTime(ttl_s, host.clock.now())
    if (name !== null && typeof name !== 'string') {
      throw unexpectedValue('create a sandbox', 'a name as text', name, undefined, 'name')
    }
    const { loaded, template } = openSource(host, from, this.#sources)
    const sandbox = template.fork(loaded, request)
    sandbox.name = name
    sandbox.number = this.#lastNumber + 1
    const isTaken = (key: string): boolean => this.#registry.byKey(key) !== undefined
    const isFree = (key: string): boolean => !isTaken(key) && !host.tables.keys.get(key)
    replaceKeys(sandbox, keys, isTaken, isFree)
    const entry = {
      id: `sandbox-${sandbox.number}`,
      sandbox,
      simulator: open(sandbox),
      expiresAt,
      initialKeys: [...sandbox.tables.keys.values()].map(({ value }) => value),
    }
    const info = toSandboxInfo(entry, this.#host.base)
    this.#lastNumber = sandbox.number
    this.#registry.add(entry)
    for (const listener of this.#listeners) listener(entry.id, entry.simulator as never)
    return info
  }

  /**
   * Calls a listener for each new sandbox, before its first request.
   *
   * @returns a function that removes the listener
   */
  follow(listener: (id: string, simulator: T) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Names a world that sandboxes can start with. @throws UsageError with every issue of the world */
  addFixture(name: string, world: WorldJson): void {
    this.#sources.fixtures.set(name, loadWorld(world))
  }

  /** Whether a fixture, a snapshot or a sandbox has this name. Built-in fixtures count once they were used. */
  hasSource(name: string): boolean {
    this.#registry.endExpired()
    return Object.values(this.#sources).some((worlds) => worlds.has(name))
  }

  /** Loads the rows of a fixture, a snapshot or a sandbox. @throws UsageError for an unknown name */
  loadSource(name: string): LoadedWorld {
    this.#registry.endExpired()
    return openSource(this.#host.sandbox, name, this.#sources, 'replay the scenario').loaded
  }

  /** Lists the sandboxes, the oldest first. */
  list(): SandboxInfo[] {
    this.#registry.endExpired()
    return [...this.#registry.byId.values()].map((entry) => toSandboxInfo(entry, this.#host.base))
  }

  /** Returns the URL, keys and expiry of a sandbox, or undefined for an unknown id. */
  info(id: string): SandboxInfo | undefined {
    const entry = this.#registry.get(id)
    return entry && toSandboxInfo(entry, this.#host.base)
  }

  /** Returns the simulator of a sandbox, or undefined for an unknown id. */
  get(id: string): T | undefined {
    return this.#registry.get(id)?.simulator
  }

  /** Ends a sandbox and frees its memory. @returns false for an unknown id */
  delete(id: string): boolean {
    return this.#registry.delete(id)
  }

  /** Ends the expired sandboxes. There are no timers: each request does the same. */
  endExpired(): void {
    this.#registry.endExpired()
  }
}

/** What a client needs to use a sandbox. */
export interface SandboxInfo {
  readonly id: string
  /** What its requests belong to, such as a test. Null if it is not known */
  readonly name: string | null
  /** The base URL for requests without a key, and for the control API of this sandbox */
  readonly url: string
  /** The value of its first key with full access to every project, or null without such a key */
  readonly key: string | null
  readonly keys: readonly (Pick<KeyRow, 'value' | 'scopes'> & { readonly label: string | null })[]
  readonly projects: readonly Pick<ProjectRow, 'id' | 'name' | 'organization'>[]
  readonly organizations: readonly Pick<OrganizationRow, 'id' | 'name'>[]
  /** ISO 8601, UTC, or null for no expiry */
  readonly expires_at: string | null
}

/** The worlds of the package have a key with full access. */
export interface WithKey {
  readonly key: string
}

function toSandboxInfo(
  { id, sandbox, expiresAt }: RegisteredSandbox<unknown>,
  base: BaseUrl,
): SandboxInfo {
  const { projects, organizations } = sandbox.tables
  const keys = [...sandbox.tables.keys.values()].filter(
    ({ value }) => !sandbox.isTakenElsewhere(value),
  )
  return {
    id,
    name: sandbox.name ?? null,
    url: `${formatBaseUrl(base)}${sandboxPrefix}/${id}`,
    key: keys.find(isUnlimited)?.value ?? null,
    keys: keys.map(({ value, label, scopes }) => ({ value, label, scopes: scopes && [...scopes] })),
    projects: [...projects.values()].map(({ id, name, organization }) => ({
      id,
      name,
      organization,
    })),
    organizations: [...organizations.values()].map(({ id, name }) => ({ id, name })),
    expires_at: expiresAt === null ? null : formatIsoTime(expiresAt),
  }
}

function isUnlimited({ projects, organizations, ...key }: KeyRow): boolean {
  return hasAllScopes(key) && projects.length + organizations.length === 0
}

/** The simulator that sandboxes are created beside. */
interface SandboxHost<T> {
  readonly sandbox: Sandbox
  readonly base: BaseUrl
  readonly snapshots: WorldSources['snapshots']
  /** The largest number of sandboxes at once. 0 for a sandbox, which cannot contain sandboxes. */
  readonly limit: number
  /** Creates the simulator of a sandbox. */
  readonly open: (sandbox: Sandbox) => T
}

function checkLimit(count: number, limit: number): void {
  if (count < limit) return
  if (limit > 0) {
    throw new LimitError(
      `Failed to create a sandbox: there are already ${limit}. Delete one, or create them with ttl_s.`,
    )
  }
  throw new UsageError(
    'Failed to create a sandbox: a sandbox cannot contain sandboxes. ' +
      'Create it in the simulator: simulator.sandboxes.create({ from: id }).',
  )
}

/** The worlds that a sandbox can start with, by name. Snapshots precede sandboxes, and sandboxes precede fixtures. */
interface WorldSources {
  readonly snapshots: ReadonlyMap<string, LoadedWorld>
  readonly sandboxes: ReadonlyMap<string, Pick<RegisteredSandbox<unknown>, 'sandbox'>>
  /** Loaded once and then cached, so that a large fixture is as fast as a small one. */
  readonly fixtures: Map<string, LoadedWorld>
}

/** The start of a sandbox. */
interface SandboxSource {
  /** Rows that never change */
  readonly loaded: LoadedWorld
  /** The sandbox that provides settings and clock */
  readonly template: Sandbox
}

/**
 * Finds a world by name. A snapshot or a fixture provides rows only, another sandbox its settings and clock as well.
 *
 * @param from defaults to the world that the host started with
 * @param task completes the sentence "Failed to …"
 * @throws UsageError for an unknown name
 */
function openSource(
  host: Sandbox,
  from: string | undefined,
  sources: WorldSources,
  task = 'create a sandbox',
): SandboxSource {
  if (from === undefined) return { loaded: withoutKeyCount(host.initial), template: host }
  const { snapshots, sandboxes } = sources
  const snapshot = snapshots.get(from)
  if (snapshot) return { loaded: withoutKeyCount(snapshot), template: host }
  const other = sandboxes.get(from)
  if (other) return { loaded: other.sandbox.snapshot(), template: other.sandbox }
  return { loaded: withoutKeyCount(openFixture(from, sources, task)), template: host }
}

function openFixture(
  from: string,
  { snapshots, sandboxes, fixtures }: WorldSources,
  task: string,
): LoadedWorld {
  const cached = fixtures.get(from)
  if (cached) return cached
  if (!builtInWorldNames.includes(from)) {
    const others = [fixtures, snapshots, sandboxes].flatMap((worlds) => [...worlds.keys()])
    const names = [...new Set([...builtInWorldNames, ...others])]
    const expected = `the name of a fixture, a snapshot or a sandbox (${listWords(names)})`
    throw unexpectedValue(task, expected, from, didYouMean(String(from), names), 'from')
  }
  const opened = openWorld(from as BuiltInWorld)
  fixtures.set(from, opened)
  return opened
}

/** The keys of a sandbox are counted from 1. */
function withoutKeyCount({ tables, seed, now }: LoadedWorld): LoadedWorld {
  return { tables, seed, now }
}
