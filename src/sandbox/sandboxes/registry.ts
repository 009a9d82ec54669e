import { keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import { isMultipart, multipartToForm, tryParseBody } from '../../http/body.ts'
import type { SandboxResolver } from '../../http/endpoint.ts'
import type { ApiRequest } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { MemoryBudget } from '../../utils/bounded-queue.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Sandbox } from '../sandbox.ts'
import { addOwnKeys } from './sandbox-keys.ts'

/** A sandbox and what belongs to it. */
export interface SandboxEntry<T> {
  readonly id: string
  readonly sandbox: Sandbox
  readonly simulator: T
  /** Milliseconds since 1970, by the clock of the host, or null for no expiry */
  readonly expiresAt: number | null
  /** The values of its first keys. They select this sandbox even if the host has the same key. */
  readonly initialKeys: ReadonlySet<string>
}

/** The sandboxes beside a host, by id and by key. Expired ones end at the next access. */
export class SandboxRegistry<T> {
  /** The oldest first. May include expired sandboxes. */
  readonly byId: Map<string, SandboxEntry<T>> = new Map()
  /** No sandbox expires before this time. */
  #nextExpiry = Number.POSITIVE_INFINITY
  readonly #host: Sandbox
  readonly #keys = new KeyIndex<SandboxEntry<T>>()
  /** The memory of all journals and histories. Beyond it, each is limited to an equal share. */
  readonly #budget = new MemoryBudget(268_435_456)

  constructor(host: Sandbox) {
    this.#host = host
    host.isTakenElsewhere = (key) => this.#keys.get(key) !== undefined
  }

  add(entry: SandboxEntry<T>): void {
    const { sandbox } = entry
    this.byId.set(entry.id, entry)
    this.#nextExpiry = Math.min(this.#nextExpiry, entry.expiresAt ?? this.#nextExpiry)
    this.#keys.add(entry)
    sandbox.journal.share(this.#budget)
    sandbox.history.share(this.#budget)
    sandbox.addOwnKeys = (tables) => addOwnKeys(tables, sandbox)
    sandbox.isTakenElsewhere = (key) => {
      const selected = this.byKey(key)
      return selected ? selected !== entry : this.#host.tables.keys.get(key) !== undefined
    }
  }

  get(id: string): SandboxEntry<T> | undefined {
    this.endExpired()
    return this.byId.get(id)
  }

  /** Finds the sandbox that a key selects. A key of the host selects the host, except for initial keys of a sandbox. */
  byKey(key: string): SandboxEntry<T> | undefined {
    this.endExpired()
    const entry = this.#keys.get(key)
    if (!entry || entry.initialKeys.has(key)) return entry
    return this.#host.tables.keys.get(key) === undefined ? entry : undefined
  }

  /** Ends a sandbox. @returns false for an unknown id */
  delete(id: string): boolean {
    const entry = this.get(id)
    if (entry) this.#end(entry)
    return entry !== undefined
  }

  /** Ends the expired sandboxes. Almost free until one expires. */
  endExpired(): void {
    if (this.#nextExpiry === Number.POSITIVE_INFINITY) return
    const now = this.#host.clock.now()
    if (this.#nextExpiry > now) return
    this.#nextExpiry = Number.POSITIVE_INFINITY
    for (const entry of [...this.byId.values()]) {
      if (entry.expiresAt === null) continue
      if (entry.expiresAt <= now) this.#end(entry)
      else this.#nextExpiry = Math.min(this.#nextExpiry, entry.expiresAt)
    }
  }

  #end(entry: SandboxEntry<T>): void {
    const { sandbox } = entry
    this.#keys.delete(entry)
    this.byId.delete(entry.id)
    sandbox.journal.close()
    sandbox.history.close()
    sandbox.isTakenElsewhere = () => false
    sandbox.addOwnKeys = () => {}
  }
}

/** Maps each key to a sandbox. If several sandboxes have the same key, the one that has had it longest is selected. */
class KeyIndex<E extends { readonly sandbox: Sandbox }> {
  readonly #first = new Map<string, E>()
  /** The other sandboxes with the same key, the oldest first. Hardly any key has some. */
  readonly #others = new Map<string, readonly E[]>()
  readonly #keys = new Map<E, Set<string>>()
  readonly #stopObserving = new Map<E, () => void>()

  get(key: string): E | undefined {
    return this.#first.get(key)
  }

  /** Adds a sandbox and follows changes of its keys. */
  add(entry: E): void {
    const { sandbox } = entry
    this.#keys.set(entry, new Set())
    // A key that the new rows have as well keeps its rank.
    const setCurrent = (): void => this.#setAll(entry, sandbox.tables.keys.values())
    const stop = sandbox.observers.add({
      rowsReplaced: setCurrent,
      rowWritten: (list, before, after) => {
        if (list !== 'keys') return
        if (before) this.#remove((before as KeyRow).value, entry)
        if (after) this.#set((after as KeyRow).value, entry)
      },
    })
    this.#stopObserving.set(entry, stop)
    setCurrent()
  }

  delete(entry: E): void {
    this.#setAll(entry, [])
    this.#keys.delete(entry)
    this.#stopObserving.get(entry)?.()
    this.#stopObserving.delete(entry)
  }

  #setAll(entry: E, rows: Iterable<KeyRow>): void {
    const values = new Set([...rows].map(({ value }) => value))
    for (const key of [...(this.#keys.get(entry) ?? [])]) {
      if (!values.has(key)) this.#remove(key, entry)
    }
    for (const key of values) this.#set(key, entry)
  }

  #set(key: string, entry: E): void {
    const keys = this.#keys.get(entry)
    if (!keys || keys.has(key)) return
    keys.add(key)
    if (this.#first.has(key)) this.#others.set(key, [...(this.#others.get(key) ?? []), entry])
    else this.#first.set(key, entry)
  }

  #remove(key: string, entry: E): void {
    if (!this.#keys.get(entry)?.delete(key)) return
    const isFirst = this.#first.get(key) === entry
    const others = (this.#others.get(key) ?? []).filter((other) => other !== entry)
    if (isFirst) {
      const next = others.shift()
      if (next) this.#first.set(key, next)
      else this.#first.delete(key)
    }
    if (others.length > 0) this.#others.set(key, others)
    else this.#others.delete(key)
  }
}

/**
 * Resolves the sandbox of a request by the id in the URL, else by the key. A key in the query or the body counts only
 * if the policies of its sandbox accept keys there.
 */
export function createSandboxResolver(
  host: Sandbox,
  registry: SandboxRegistry<unknown>,
): SandboxResolver<Sandbox> & Required<Pick<SandboxResolver<Sandbox>, 'resolveByBody'>> {
  const findByKey = (key: string): Sandbox | undefined => registry.byKey(key)?.sandbox

  const resolveByParsedBody = (request: ApiRequest, resolved: Sandbox): Sandbox => {
    const key = keyInBody(tryParseBody(request, acceptingForms(host)))
    if (!key) return resolved
    const sandbox = findByKey(key.value)
    // The first key counts. A key in the query does not matter then.
    if (!sandbox) return host
    const isAccepted =
      acceptsKeyOutsideHeader(sandbox) &&
      keyInBody(tryParseBody(request, sandbox.policyTracker.untracked))
    return isAccepted ? sandbox : resolved
  }

  return {
    resolve(sandboxId, head) {
      registry.endExpired()
      if (sandboxId !== undefined) return registry.get(sandboxId)?.sandbox
      if (registry.byId.size === 0) return host
      const headerKey = keyInHeader(head.headers.get('authorization'))
      if (headerKey) return findByKey(headerKey.value) ?? host
      // Reading the URL builds it, so it is read last.
      const queryKey = keyInQuery(queryString(head.url))
      const sandbox = queryKey ? findByKey(queryKey.value) : undefined
      return sandbox && acceptsKeyOutsideHeader(sandbox) ? sandbox : host
    },

    resolveByBody(sandboxId, request, resolved) {
      if (request.body === null || sandboxId !== undefined || registry.byId.size === 0) {
        return resolved
      }
      if (keyInHeader(request.headers.get('authorization'))) return resolved
      if (!isMultipart(request, acceptingForms(host))) return resolveByParsedBody(request, resolved)
      return multipartToForm(request).then((form) => resolveByParsedBody(form, resolved))
    },
  }
}

/** Untracked, since the response does not depend on how its sandbox was resolved. */
function acceptsKeyOutsideHeader({ policyTracker }: Sandbox): boolean {
  return policyTracker.untracked['keys.places'] !== 'header'
}

/** Settings that parse every kind of body, since the sandbox of the body is not known yet. */
function acceptingForms({ policyTracker }: Sandbox): PolicySettings {
  return { ...policyTracker.untracked, 'bodies.form': 'accepted' }
}
