import * as z from 'zod'
import { keyInHeader, keyInQuery } from '../../http/check.ts'
import { queryString, type RequestHead } from '../../http/messages.ts'
import { type BaseUrl, formatBaseUrl, sandboxPrefix } from '../../http/route.ts'
import {
  didYouMean,
  LimitError,
  listWords,
  refuseFilter,
  UsageError,
  unexpectedValue,
} from '../../utils/errors.ts'
import { checkOptions, listOf, option, optionsSchema } from '../../utils/options.ts'
import { Clock, formatIsoTime } from '../../world/clock/clock.ts'
import {
  builtInWorldNames,
  completeWorld,
  isBuiltInWorld,
  isFixture,
  type LoadedWorld,
  loadWorld,
  openWorld,
} from '../../world/load/load-world.ts'
import {
  findFullAccess,
  type KeyRow,
  type OrganizationRow,
  type ProjectRow,
} from '../../world/rows.ts'
import { keyValueSchema } from '../../world/schema/world-schema.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type ForkOptions, forkOptions } from '../options.ts'
import type { State } from '../state.ts'
import { type ChosenKey, replaceKeys } from './sandbox-keys.ts'

/**
 * Options of `simulator.sandboxes.create`. By default a sandbox has the rows, the settings, the clock and the faults that
 * the simulator started with, those that `reset` restores.
 */
export interface SandboxRequest extends ForkOptions {
  /** What its requests belong to, such as a test. Their journal entries and the report of the run say it. */
  readonly name?: string
  /**
   * `current` for the present rows, settings and clock of the simulator, or the id of a sandbox for those of that sandbox.
   * The name of a fixture is about the rows only.
   */
  readonly from?: string
  /**
   * Seconds until the sandbox ends, by the time of the machine, whatever the clock of the simulator says. By default it
   * does not end by itself.
   */
  readonly ttl_s?: number
  /**
   * Values of its keys, by their labels. The other values are generated. A chosen value must be free: neither the simulator
   * nor another sandbox has it.
   */
  readonly keys?: readonly ChosenKey[]
}

/** In seconds. The time at which a sandbox ends must be one that can be formatted */
const maxLifetime = 1e11

const sandboxSchema = optionsSchema<SandboxRequest>({
  name: z.string().nullable(),
  from: option.text,
  ...forkOptions,
  ttl_s: option.is(
    'a positive number of seconds, at most 100,000,000,000',
    (seconds) => Number(seconds) > 0 && Number(seconds) <= maxLifetime,
  ),
  keys: listOf(
    z.strictObject({ label: z.string(), value: keyValueSchema }),
    'expected a list of { label, value }',
  ),
})

const currentSource = 'current'

const never = Number.POSITIVE_INFINITY

interface Sandbox<T> {
  readonly id: string
  readonly state: State
  /** Created on first use: requests need only the state. */
  simulator: T | null
  /** In milliseconds since 1970, by the time of the machine */
  readonly expiry: number
}

interface SandboxHost<T> {
  readonly state: State
  readonly base: BaseUrl
  /** The largest number of sandboxes at once. Null for a sandbox, which cannot contain sandboxes. */
  readonly limit: number | null
  readonly open: (state: State) => T
}

/**
 * Isolated worlds beside the world of a simulator. The key or the URL of a request selects its sandbox. A key in the query
 * counts only if the settings of its sandbox accept keys there, and a key in a body selects none.
 *
 * @typeParam T the simulator that is opened for each sandbox
 * @example const { key, url } = simulator.sandboxes.create({ from: 'empty', ttl_s: 600 })
 */
export class Sandboxes<T> {
  readonly #host: SandboxHost<T>
  /** The oldest first. May include expired ones. */
  readonly #byId = new Map<string, Sandbox<T>>()
  /** Loaded once and then kept, so that a large fixture is as fast as a small one. */
  readonly #fixtures = new Map<string, LoadedWorld>()
  readonly #listeners = new Set<(id: string, simulator: T) => void>()
  readonly #endListeners = new Set<(id: string, simulator: T) => void>()
  readonly #machine = new Clock()
  #lastNumber = 0
  /** No sandbox expires before. */
  #nextExpiry = never

  /** @internal */
  constructor(host: SandboxHost<T>) {
    this.#host = host
  }

  get count(): number {
    return this.#current.size
  }

  /**
   * Creates a sandbox with the rows that `from` names, and with new keys of the same scopes.
   *
   * @throws UsageError for an invalid option
   * @throws LimitError if the limit is reached
   */
  create(request: SandboxRequest = {}): SandboxInfo {
    const { state: host } = this.#host
    const { keyOwners, memory } = host
    checkLimit(this.count, this.#host.limit)
    checkOptions(sandboxSchema, request, 'create a sandbox')
    const { name = null, from, keys = [], ttl_s } = request
    const expiry = ttl_s === undefined ? never : this.#machine.now() + ttl_s * 1_000
    const { loaded, template, rows, isStart } = this.#openSource(from, 'create a sandbox', 'from')
    const number = this.#lastNumber + 1
    const state = template.fork(loaded, request, { number, name, keyOwners, memory, rows }, isStart)
    replaceKeys(state, keys)
    memory.hold(state, name?.length ?? 0)
    const sandbox = { id: `sandbox-${number}`, state, simulator: null, expiry }
    state.faults.startLike(host.faults)
    this.#lastNumber = number
    this.#byId.set(sandbox.id, sandbox)
    this.#nextExpiry = Math.min(this.#nextExpiry, expiry)
    for (const listener of this.#listeners) listener(sandbox.id, this.#open(sandbox))
    return this.#info(sandbox)
  }

  /** Calls a listener for each new sandbox, before its first request. @returns a function that removes the listener */
  follow(listener: (id: string, simulator: T) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls a listener for each sandbox that ends, with its last state. */
  followEnd(listener: (id: string, simulator: T) => void): void {
    this.#endListeners.add(listener)
  }

  /** Names a world that sandboxes can start with. @throws UsageError with up to 100 issues of the world */
  addFixture(name: string, world: WorldJson): void {
    this.#fixtures.set(name, loadWorld(world, this.#host.state.settings))
  }

  /** Adds a fixture of the package, so that a sandbox or a scenario can start from it. Leaves anything else alone. @internal */
  async offerFixture(world: unknown): Promise<void> {
    if (isFixture(world) && !this.hasSource(world))
      this.addFixture(world, await completeWorld(world))
  }

  /** Whether a fixture or a sandbox has this name. Built-in fixtures count once they were used. @internal */
  hasSource(name: string): boolean {
    return this.#fixtures.has(name) || this.#current.has(name)
  }

  /** Loads the rows of a fixture or a sandbox. @throws UsageError for an unknown name @internal */
  loadSource(name: string): LoadedWorld {
    return this.#openSource(name, 'run the scenario', 'world').loaded
  }

  /** Lists the sandboxes, the oldest first. @throws UsageError for an argument: it is no filter */
  list(...others: readonly undefined[]): SandboxInfo[] {
    refuseFilter('the sandboxes', others)
    return [...this.#current.values()].map((sandbox) => this.#info(sandbox))
  }

  /** Describes a sandbox. Returns undefined for an unknown id. */
  info(id: string): SandboxInfo | undefined {
    const sandbox = this.#current.get(id)
    return sandbox && this.#info(sandbox)
  }

  /** Returns the simulator of a sandbox, or undefined for an unknown id. */
  get(id: string): T | undefined {
    const sandbox = this.#current.get(id)
    return sandbox && this.#open(sandbox)
  }

  /** Ends a sandbox and frees its memory. @returns false for an unknown id */
  delete(id: string): boolean {
    const sandbox = this.#current.get(id)
    if (sandbox) this.#end(sandbox)
    return sandbox !== undefined
  }

  #end(sandbox: Sandbox<T>) {
    const { id, state } = sandbox
    for (const listener of this.#endListeners) listener(id, this.#open(sandbox))
    this.#byId.delete(id)
    state.close()
  }

  #open(sandbox: Sandbox<T>) {
    sandbox.simulator ??= this.#host.open(sandbox.state)
    return sandbox.simulator
  }

  /** The state that a request selects: by the id in its URL, else by its key. Undefined for an unknown id. @internal */
  resolve(id: string | undefined, { headers, url }: RequestHead): State | undefined {
    const { state: host } = this.#host
    const sandboxes = this.#current
    if (id !== undefined) return sandboxes.get(id)?.state
    if (sandboxes.size === 0) return host
    const inHeader = keyInHeader(headers.get('authorization'))
    if (inHeader) return host.keyOwners.sandboxOf(inHeader.value) ?? host
    const inQuery = keyInQuery(queryString(url))
    const state = inQuery && host.keyOwners.sandboxOf(inQuery.value)
    return state && state.settings['keys.places'] !== 'header' ? state : host
  }

  get #current(): ReadonlyMap<string, Sandbox<T>> {
    this.#endExpired()
    return this.#byId
  }

  /** Ends the expired sandboxes. There are no timers: each request does the same. */
  #endExpired() {
    if (this.#nextExpiry === never) return
    const now = this.#machine.now()
    if (now < this.#nextExpiry) return
    this.#nextExpiry = never
    for (const sandbox of [...this.#byId.values()]) {
      if (sandbox.expiry <= now) this.#end(sandbox)
      else this.#nextExpiry = Math.min(this.#nextExpiry, sandbox.expiry)
    }
  }

  #info({ id, state, expiry }: Sandbox<T>): SandboxInfo {
    const { projects, organizations } = state.tables
    const keys = [...state.tables.keys.values()].filter(
      ({ value }) => !state.isTakenElsewhere(value),
    )
    return {
      id,
      name: state.name,
      url: `${formatBaseUrl(this.#host.base)}${sandboxPrefix}/${id}`,
      key: (findFullAccess(keys, state.settings) ?? keys[0])?.value ?? '',
      keys: keys.map(({ value, label, scopes }) => ({
        value,
        label,
        scopes: scopes && [...scopes],
      })),
      projects: [...projects.values()].map(({ id, name, organization }) => ({
        id,
        name,
        organization,
      })),
      organizations: [...organizations.values()].map(({ id, name }) => ({ id, name })),
      expires_at: expiry === never ? null : formatIsoTime(expiry),
    }
  }

  /**
   * Finds the rows that a sandbox starts with, and the state that provides its settings and its clock: those that the state
   * started with, or the present ones. Sandboxes precede fixtures.
   *
   * @param from defaults to the world that the host started with
   * @param task completes the sentence "Failed to …"
   * @throws UsageError for an unknown name
   */
  #openSource(from: string | undefined, task: string, field: string) {
    const { state: host } = this.#host
    const present = from === currentSource ? host : this.#current.get(from ?? '')?.state
    if (present) {
      const [loaded, rows] = [present.snapshot(), present.shareRows()]
      return { loaded, template: present, rows, isStart: false }
    }
    const loaded = from === undefined ? host.initial : this.#fixture(from, task, field)
    // Those of a fixture are kept anyway.
    const rows = from === undefined ? host.startRows : undefined
    return { loaded, template: host, rows, isStart: true }
  }

  #fixture(from: string, task: string, field: string) {
    const loaded = this.#fixtures.get(from) ?? (isBuiltInWorld(from) ? openWorld(from) : undefined)
    if (loaded) {
      this.#fixtures.set(from, loaded)
      return loaded
    }
    const worlds = [...this.#fixtures.keys(), ...this.#byId.keys()]
    const names = [...new Set([currentSource, ...builtInWorldNames, ...worlds])]
    const expected = `current, or the name of a loaded fixture or a sandbox, such as ${listWords(names)}`
    throw unexpectedValue(task, expected, from, didYouMean(from, names), field)
  }
}

/** Why no sandbox has an id, if nothing else is known of it. */
export const unknownSandboxReason = 'it was never created, or has ended'

/** What a client needs to use a sandbox. */
export interface SandboxInfo {
  readonly id: string
  /** What its requests belong to, such as a test. Null if it is not known */
  readonly name: string | null
  /** The base URL, also for requests without a key, and for its admin API */
  readonly url: string
  /** Its first key with full access; with `live`, one whose scopes are null comes first. Without any, its first key. Empty without a key */
  readonly key: string
  readonly keys: readonly (Pick<KeyRow, 'value' | 'scopes'> & { readonly label: string | null })[]
  readonly projects: readonly Pick<ProjectRow, 'id' | 'name' | 'organization'>[]
  readonly organizations: readonly Pick<OrganizationRow, 'id' | 'name'>[]
  /** ISO 8601, UTC, or null for no expiry */
  readonly expires_at: string | null
}

function checkLimit(count: number, limit: number | null) {
  if (limit === null || limit === 0) {
    const reason =
      limit === 0
        ? 'the option `sandboxes` is 0. Create the simulator with a higher number.'
        : 'a sandbox cannot contain sandboxes. Create it in the simulator: simulator.sandboxes.create({ from: id }).'
    throw new UsageError(`Failed to create a sandbox: ${reason}`)
  }
  if (count < limit) return
  throw new LimitError(
    `Failed to create a sandbox: there are already ${limit}. Delete one, or create them with ttl_s.`,
  )
}
