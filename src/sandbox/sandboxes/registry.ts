import { keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import { tryParseBody } from '../../http/body.ts'
import type { SandboxResolver } from '../../http/endpoint.ts'
import type { ApiRequest, RequestHead } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import type { Sandbox, Siblings } from '../sandbox.ts'
import { addOwnKeys } from './sandbox-keys.ts'

/** A sandbox and what belongs to it. */
export interface RegisteredSandbox<T> {
  readonly id: string
  readonly sandbox: Sandbox
  readonly simulator: T
  /** Milliseconds since 1970, by the clock of the host, or null for no expiry */
  readonly expiresAt: number | null
  /** The values of its first keys. They select this sandbox even if the host has the same key. */
  readonly initialKeys: readonly string[]
}

/**
 * The sandboxes beside a host. Expired ones end at the next access. The id in the URL of a request selects its sandbox,
 * else its key. A key in the query or the body counts only if the settings of its sandbox accept keys there.
 */
export class SandboxRegistry<T> implements SandboxResolver<Sandbox>, Siblings {
  /** The oldest first. May include expired sandboxes. */
  readonly byId: Map<string, RegisteredSandbox<T>> = new Map()
  /** No sandbox expires before this time. */
  #nextExpiry = Number.POSITIVE_INFINITY
  readonly #host: Sandbox
  readonly #keys = new KeyIndex<RegisteredSandbox<T>>()

  constructor(host: Sandbox) {
    this.#host = host
    // A sandbox contains no sandboxes, but has others beside it.
    if (host.number > 0) return
    host.join(this)
    // Otherwise an expired sandbox would exist again after the clock was set back.
    host.events.on('clock', (from) => this.endExpired(Date.parse(from.now)))
  }

  add(entry: RegisteredSandbox<T>): void {
    const { sandbox } = entry
    this.byId.set(entry.id, entry)
    this.#nextExpiry = Math.min(this.#nextExpiry, entry.expiresAt ?? this.#nextExpiry)
    this.#keys.add(entry)
    sandbox.join(this)
  }

  isTaken(key: string, sandbox: Sandbox): boolean {
    const selected = this.byKey(key)
    if (sandbox === this.#host) return selected !== undefined
    return selected ? selected.sandbox !== sandbox : this.#host.tables.keys.get(key) !== undefined
  }

  addOwnKeys(tables: Tables, sandbox: Sandbox): void {
    if (sandbox !== this.#host) addOwnKeys(tables, sandbox)
  }

  get(id: string): RegisteredSandbox<T> | undefined {
    this.endExpired()
    return this.byId.get(id)
  }

  /** Finds the sandbox that a key selects. A key of the host selects the host, except for initial keys of a sandbox. */
  byKey(key: string): RegisteredSandbox<T> | undefined {
    this.endExpired()
    const entry = this.#keys.get(key)
    const isOfHost = entry && this.#host.tables.keys.get(key) !== undefined
    return isOfHost && !entry.initialKeys.includes(key) ? undefined : entry
  }

  resolve(sandboxId: string | undefined, head: RequestHead): Sandbox | undefined {
    this.endExpired()
    if (sandboxId !== undefined) return this.byId.get(sandboxId)?.sandbox
    if (this.byId.size === 0) return this.#host
    const headerKey = keyInHeader(head.headers.get('authorization'))
    if (headerKey) return this.byKey(headerKey.value)?.sandbox ?? this.#host
    const queryKey = keyInQuery(queryString(head.url))
    const sandbox = queryKey && this.byKey(queryKey.value)?.sandbox
    return sandbox && acceptsKeyOutsideHeader(sandbox) ? sandbox : this.#host
  }

  resolveByBody(sandboxId: string | undefined, request: ApiRequest, resolved: Sandbox): Sandbox {
    if (request.body === null || sandboxId !== undefined || this.byId.size === 0) return resolved
    if (keyInHeader(request.headers.get('authorization'))) return resolved
    const key = keyInBody(tryParseBody(request, acceptingForms(this.#host)))
    if (!key) return resolved
    const sandbox = this.byKey(key.value)?.sandbox
    // The first key counts. A key in the query does not matter then.
    if (!sandbox) return this.#host
    const isAccepted =
      acceptsKeyOutsideHeader(sandbox) &&
      keyInBody(tryParseBody(request, sandbox.settingTracker.untracked))
    return isAccepted ? sandbox : resolved
  }

  /** Ends a sandbox. @returns false for an unknown id */
  delete(id: string): boolean {
    const entry = this.get(id)
    if (entry) this.#end(entry)
    return entry !== undefined
  }

  /** Ends the expired sandboxes. Almost free until one expires. @param at defaults to the time of the host */
  endExpired(at?: number): void {
    if (this.#nextExpiry === Number.POSITIVE_INFINITY) return
    const now = at ?? this.#host.clock.now()
    if (this.#nextExpiry > now) return
    this.#nextExpiry = Number.POSITIVE_INFINITY
    for (const entry of [...this.byId.values()]) {
      if (entry.expiresAt === null) continue
      if (entry.expiresAt <= now) this.#end(entry)
      else this.#nextExpiry = Math.min(this.#nextExpiry, entry.expiresAt)
    }
  }

  #end(entry: RegisteredSandbox<T>): void {
    this.#keys.delete(entry)
    this.byId.delete(entry.id)
    entry.sandbox.close()
  }
}

/** Untracked, since the response does not depend on how its sandbox was resolved. */
function acceptsKeyOutsideHeader({ settingTracker }: Sandbox): boolean {
  return settingTracker.untracked['keys.places'] !== 'header'
}

/** Settings that parse every kind of body, since the sandbox of the body is not known yet. */
function acceptingForms({ settingTracker }: Sandbox): SettingValues {
  return { ...settingTracker.untracked, 'bodies.form': 'accepted' }
}

/** Maps each key to a sandbox. If several sandboxes have the same key, the one that has had it longest is selected. */
class KeyIndex<E extends { readonly sandbox: Sandbox }> {
  /** The sandboxes with each key, the oldest first. */
  readonly #entries = new Map<string, readonly E[]>()

  get(key: string): E | undefined {
    return this.#entries.get(key)?.[0]
  }

  /** Adds a sandbox, and follows changes of its keys until it ends. */
  add(entry: E): void {
    const { sandbox } = entry
    // One array for all its keys.
    const alone = [entry]
    const addAll = (): void => {
      for (const { value } of sandbox.tables.keys.values()) this.#set(value, alone)
    }
    sandbox.events.on('replace', (_world, former) => {
      // A key that the new rows have as well keeps its rank.
      for (const { value } of former.keys.values()) {
        if (!sandbox.tables.keys.get(value)) this.#remove(value, entry)
      }
      addAll()
    })
    sandbox.events.on('write', (list, before, after) => {
      if (list !== 'keys') return
      if (after) this.#set((after as KeyRow).value, alone)
      else this.#remove((before as KeyRow).value, entry)
    })
    addAll()
  }

  delete(entry: E): void {
    for (const { value } of entry.sandbox.tables.keys.values()) this.#remove(value, entry)
  }

  #set(key: string, alone: readonly E[]): void {
    const others = this.#entries.get(key)
    if (!others) this.#entries.set(key, alone)
    else if (!others.includes(alone[0] as E)) this.#entries.set(key, others.concat(alone))
  }

  #remove(key: string, entry: E): void {
    const others = this.#entries.get(key)?.filter((other) => other !== entry) ?? []
    if (others.length > 0) this.#entries.set(key, others)
    else this.#entries.delete(key)
  }
}
