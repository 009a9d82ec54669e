import type { PolicyId } from '../../policies/policies.ts'
import { isObject } from '../../utils/json.ts'
import type { Observer } from './observer.ts'
import {
  type Answer,
  byStatus,
  errorDetail,
  type ObserverKey,
  paths,
  type SentOptions,
  Unclear,
} from './requests.ts'

/** One of the two rounds of an observation. Probes of a round share their reads, and the rounds share nothing. */
export class Round {
  readonly observer: Observer
  /** 1 or 2. Requests contain it, so that caches on the way do not repeat a response. */
  readonly number: number
  /** The requests since it was emptied, without ids, keys and contents: `GET /api/projects/?limit=1 → 200`. */
  evidence: string[] = []
  readonly #memory = new Map<string, { result: Promise<unknown>; evidence: readonly string[] }>()

  constructor(observer: Observer, number: number) {
    this.observer = observer
    this.number = number
  }

  get keys(): Observer['keys'] {
    return this.observer.keys
  }

  /** Reads a path, once per round. @throws Unclear */
  async get(path: string, options: SentOptions): Promise<Answer> {
    const answer = await this.getAny(path, options)
    return this.observer.checkForm(answer, path)
  }

  /** Reads a path whose errors may have any form. */
  async getAny(path: string, options: SentOptions): Promise<Answer> {
    const name = this.#nameOf(path, options)
    const answer = await this.once(name, () => this.observer.request(path, options))
    this.#log(path, options, answer)
    return answer
  }

  /** Sends a request each time. @throws Unclear */
  async send(method: string, path: string, options: SentOptions): Promise<Answer> {
    return this.observer.checkForm(await this.sendAny(method, path, options), path)
  }

  async sendAny(method: string, path: string, options: SentOptions): Promise<Answer> {
    const answer = await this.observer.request(path, { ...options, method })
    this.#log(path, { ...options, method }, answer)
    return answer
  }

  /** Changes a row of its own. @throws Unclear */
  async change(
    kind: 'annotation' | 'plugin',
    options: SentOptions,
    key: ObserverKey | null = this.keys.for(`${kind}:write`),
  ): Promise<Answer> {
    const { own } = this.observer
    const id = await (kind === 'annotation' ? own.annotation(this) : own.plugin(this))
    return this.send(options.method ?? 'PATCH', paths[kind], { ...options, key, id })
  }

  /** Runs a function once per round. Later calls get the same result, or the same failure, and the same evidence. */
  once<T>(name: string, run: () => Promise<T>): Promise<T> {
    const known = this.#memory.get(name)
    this.evidence.push(...(known?.evidence ?? []))
    if (known) return known.result as Promise<T>
    const evidence: string[] = []
    const { evidence: all } = this
    const start = all.length
    const result = run().finally(() => evidence.push(...all.slice(start)))
    this.#memory.set(name, { result, evidence })
    return result
  }

  /** The list that the keys can read: annotations, else plugins. It must work, or no error of the server means anything. */
  get base(): { readonly list: string; readonly row: string; readonly scope: string } {
    try {
      this.keys.for('annotation:read')
      return { list: paths.annotations, row: paths.annotation, scope: 'annotation:read' }
    } catch {
      return { list: paths.plugins, row: paths.plugin, scope: 'plugin:read' }
    }
  }

  get baseKey(): ObserverKey {
    return this.keys.for(this.base.scope)
  }

  /** Why the server shows nothing, as a sentence. Null if its base list is readable. @throws Unclear */
  async refusalOfServer(): Promise<string | null> {
    const { list } = this.base
    const options = { key: this.baseKey, query: { limit: this.number } }
    const name = this.#nameOf(list, options)
    const answer = await this.once(name, () => this.observer.requestList(list, options))
    return this.observer.refusalOf(list, answer)
  }

  /** @throws Unclear if the server does not look at keys: then no response depends on the permissions of a key */
  async requireKeys(): Promise<void> {
    const [withoutKey, withWrongKey] = [await this.withoutKey(), await this.withWrongKey()]
    const [misses, accepts] = [withoutKey, withWrongKey].map(({ status }) => status < 300)
    if (accepts && misses) {
      throw new Unclear('The server accepts any key, and requests without a key.')
    }
    if (accepts) throw new Unclear('The server accepts any key.')
    if (misses) throw new Unclear('The server accepts requests without a key.')
  }

  /** A page of the base list. @throws Unclear unless it is one */
  async page(path: string = this.base.list, key: ObserverKey = this.baseKey): Promise<Page> {
    const answer = await this.get(path, { key, query: { limit: this.number } })
    const { body } = answer
    if (answer.status !== 200 || !isObject(body) || !Array.isArray(body.results)) {
      throw new Unclear(`The list ${path} is not readable (${answer.status}).`)
    }
    return { answer, rows: body.results.filter(isObject) }
  }

  /** A row of a list, which is another one in each round if there are two. @throws Unclear for an empty list */
  async row(path: string, key: ObserverKey): Promise<Record<string, unknown> & { id: number }> {
    const { rows } = await this.page(path, key)
    const row = rows.at(-1)
    if (typeof row?.id === 'number') return row as Record<string, unknown> & { id: number }
    throw new Unclear(`The list ${path} is empty.`)
  }

  /** The response to a request without a key. */
  withoutKey(): Promise<Answer> {
    return this.getAny(this.base.list, { key: null, query: { limit: this.number } })
  }

  /** The response to a key that does not exist. */
  withWrongKey(): Promise<Answer> {
    return this.getAny(this.base.list, { key: this.wrongKey, query: { limit: this.number } })
  }

  get wrongKey(): string {
    return `phx_${this.observer.options.marker}_${this.number}`
  }

  /** The response to the id 0, which no row has. */
  missingRow(): Promise<Answer> {
    return this.getAny(this.base.row, { key: this.baseKey, id: 0, query: { limit: this.number } })
  }

  /**
   * Compares the response to a key with that to a key that has the permission.
   *
   * @param prove sends a request that succeeds if the server knows the other key
   * @returns the status of the refusal, or null if both succeed
   * @throws Unclear unless one key succeeds, and the other one is known to the server
   */
  async compareKeys(
    path: string,
    options: SentOptions,
    allowed: ObserverKey,
    other: ObserverKey,
    prove?: () => Promise<void>,
  ): Promise<403 | 404 | null> {
    byStatus(await this.get(path, { ...options, key: allowed }), { 200: true })
    const answer = await this.get(path, { ...options, key: other })
    const refusal = byStatus(answer, { 200: null, 403: 403 as const, 404: 404 as const })
    if (refusal === null) await this.requireKeys()
    else await this.requireKnown(other, answer, prove)
    return refusal
  }

  /** @throws Unclear unless a refusal differs from that of a wrong key, or the key has worked for another request */
  async requireKnown(
    key: ObserverKey,
    refusal: Answer,
    prove?: () => Promise<void>,
  ): Promise<void> {
    const { observer } = this
    const wrong = await this.withWrongKey()
    const isDifferent =
      wrong.status !== refusal.status ||
      (errorDetail(wrong) !== null && errorDetail(wrong) !== errorDetail(refusal))
    if (isDifferent || observer.isWorking(key)) return
    const object = key.scopes?.find((scope) => /^(annotation|plugin):read$/.test(scope))
    const path = object?.startsWith('plugin')
      ? paths.plugins
      : object
        ? paths.annotations
        : paths.projects
    await this.getAny(path, { key, query: { limit: this.number } })
    if (!observer.isWorking(key)) await prove?.()
    if (observer.isWorking(key)) return
    throw new Unclear(
      `The server refuses the key "${key.label}" like an unknown one, so the key may be wrong.`,
    )
  }

  /** The status that a key with scopes gets if it lacks one. */
  get refusal(): number {
    return Number(this.observer.found.get('keys.insufficient.status') ?? 403)
  }

  #nameOf(path: string, { key, query, id }: SentOptions): string {
    const label = typeof key === 'object' ? key?.label : key
    return JSON.stringify([path, query, id, label])
  }

  #log(path: string, { method = 'GET', query = {} }: SentOptions, { status }: Answer): void {
    const parameters = Object.entries(query).map(([name, value]) =>
      secretParameters.includes(name) ? `${name}=…` : `${name}=${value}`,
    )
    const shown = this.observer.shownPath(path)
    const url = parameters.length > 0 ? `${shown}?${parameters.join('&')}` : shown
    this.evidence.push(`${method} ${url} → ${status}`)
  }
}

const secretParameters: readonly string[] = ['personal_api_key', 'token', 'api_key', 'search']

interface Page {
  readonly answer: Answer
  readonly rows: readonly Record<string, unknown>[]
}

/** How a policy shows itself in the responses of a server. */
export interface Probe {
  /** What differs between the values, as a clause for the table of the README */
  readonly shows: string
  /** The keys that it needs besides one with full access, as a clause */
  readonly key?: string
  /** Whether it writes rows of its own */
  readonly writes?: true
  /** Why the policy can stay open on a server that answers properly, as a sentence */
  readonly unless?: string
  /**
   * Sends requests and concludes the value. It is called once in each of two rounds, which share no request.
   *
   * @throws Unclear if the responses show no value
   */
  observe(round: Round): Promise<string | number>
}

/** Why no probe can find a policy. */
export interface Hidden {
  readonly hidden: string
}

export type Probes = Partial<Record<PolicyId, Probe | Hidden>>
