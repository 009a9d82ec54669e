import { isObject } from '../../utils/json.ts'
import type { Keys } from './keys.ts'
import { type Answer, paths, type SentOptions, Unclear } from './requests.ts'

/** The observation that the rows belong to. */
interface Host {
  readonly options: { readonly allowWrites: boolean; readonly marker: string }
  readonly keys: Keys
  readonly sender: { reserved: number; readonly count: number }
  fillPath(path: string, id?: number): string
  request(path: string, options: SentOptions, isCleanUp: boolean): Promise<Answer>
  checkForm(answer: Answer, path: string): Answer
}

/** The round that rows are created for. */
interface Round {
  readonly number: number
  once<T>(name: string, run: () => Promise<T>): Promise<T>
  get(path: string, options: SentOptions): Promise<Answer>
  send(method: string, path: string, options: SentOptions): Promise<Answer>
  sendAny(method: string, path: string, options: SentOptions): Promise<Answer>
}

interface OwnRow {
  readonly kind: 'annotation' | 'plugin'
  readonly id: number
  /** How many requests remove it */
  readonly cost: number
}

const articles = { annotation: 'An annotation', plugin: 'A plugin' } as const

const attempts = 3

/** The rows that an observation creates, which it removes at the end. */
export class OwnRows {
  readonly #host: Host
  /** Rows that the server has shown, and plugins of which only the creation was answered */
  readonly #rows = new Map<string, OwnRow>()
  /** Rows that the server has shown at their ids. Another id may be that of a row of another user */
  readonly #shown = new Set<string>()
  /** How many rows of a kind may exist although their creation was not answered properly. Has each kind that was created */
  readonly #uncertain = new Map<OwnRow['kind'], number>()

  constructor(host: Host) {
    this.#host = host
  }

  /** @throws Unclear unless writes are allowed */
  requireWrites(): void {
    if (!this.#host.options.allowWrites) throw new Unclear('It needs --allow-writes.')
  }

  /** An annotation of this round. @throws Unclear */
  annotation(round: Round, deleted = false): Promise<number> {
    this.requireWrites()
    return round.once(`annotation ${deleted}`, async () => {
      const content = this.#text(`${round.number}${deleted ? ' deleted' : ''}`)
      const date_marker = '2001-01-01T00:00:00Z'
      const body = { content, date_marker, scope: 'project', ...(deleted && { deleted }) }
      const answer = await this.#create(round, 'annotation', body)
      const row = answer.body
      const isCreated = answer.status === 201 && isObject(row) && row.content === content
      if (!isCreated || typeof row.id !== 'number')
        throw new Unclear(`Creating an annotation returned ${answer.status}.`)
      if (row.deleted !== deleted) throw new Unclear('An annotation was not created as sent.')
      await this.#requireShown(round, 'annotation', row.id, deleted)
      return row.id
    })
  }

  /**
   * Creates a plugin of type `source`, for which a server installs nothing.
   *
   * @param fields the fields that the body has besides its type and a description
   */
  createPlugin(round: Round, ...fields: ('name' | 'url')[]): Promise<Answer> {
    this.requireWrites()
    return round.once(`plugin ${fields}`, () => {
      const text = this.#text(`${round.number} ${fields}`)
      const url = `https://example.com/${text.replaceAll(' ', '-').replaceAll(',', '-')}`
      const all = { name: text, url }
      const entries = fields.map((name) => [name, all[name]])
      const body = { plugin_type: 'source', description: text, ...Object.fromEntries(entries) }
      return this.#create(round, 'plugin', body)
    })
  }

  /** Sends a body that may create a plugin, or crash the server. */
  async createWithoutUrl(round: Round): Promise<Answer> {
    this.requireWrites()
    const text = this.#text(`${round.number} without url`)
    return this.#create(round, 'plugin', { name: text, description: text }, 500)
  }

  /** A plugin of this round: the first one that the server accepted. @throws Unclear */
  async plugin(round: Round): Promise<number> {
    for (const fields of [['url'], ['name', 'url'], ['name']] as const) {
      const { status, body } = await this.createPlugin(round, ...fields)
      if (status !== 201 || !isObject(body) || typeof body.id !== 'number') continue
      await this.#requireShown(round, 'plugin', body.id)
      return body.id
    }
    throw new Unclear('The server creates no plugin with this key.')
  }

  /** @throws Unclear if the server shows another row at an id that it returned: a change of it would be that of another row */
  async #requireShown(
    round: Round,
    kind: OwnRow['kind'],
    id: number,
    deleted = false,
  ): Promise<void> {
    const key = this.#host.keys.for(`${kind}:read`)
    const { status, text } = await round.get(paths[kind], { key, id })
    const isShown = status === 200 && text.includes(this.#host.options.marker)
    if (!isShown && !(deleted && status === 404)) {
      throw new Unclear(`GET does not return the ${kind} that POST returned (${status}).`)
    }
    this.#shown.add(`${kind} ${id}`)
  }

  /** A plugin of this round that is global. */
  globalPlugin(round: Round): Promise<number> {
    return round.once('global plugin', async () => {
      const id = await this.plugin(round)
      this.#keep({ kind: 'plugin', id, cost: 2 })
      const key = this.#host.keys.for('plugin:write')
      const { status, body } = await round.send('PATCH', paths.plugin, {
        key,
        id,
        body: { is_global: true },
      })
      if (status === 200 && isObject(body) && body.is_global === true) return id
      throw new Unclear(`Making a plugin global returned ${status}.`)
    })
  }

  forget(kind: OwnRow['kind'], id: number): void {
    this.#rows.delete(`${kind} ${id}`)
    this.#reserve()
  }

  /** Notes that a soft-deleted annotation was restored. */
  restored(id: number): void {
    this.#keep({ kind: 'annotation', id, cost: 1 })
  }

  /** Removes all rows, also those that the server only lists. @returns a sentence for each row that may be left */
  async cleanUp(): Promise<string[]> {
    const known = [...this.#rows].filter(([name]) => this.#shown.has(name)).map(([, row]) => row)
    const failed = await this.#removeAll(known)
    const left: string[] = []
    for (const kind of this.#uncertain.keys()) {
      const listed = await this.#listOwn(kind)
      if (listed === null) {
        left.push(...failed.filter((row) => row.kind === kind).map((row) => this.#describe(row)))
        if (this.#mayHaveMore(kind)) left.push(this.#describeUnconfirmed(kind))
        continue
      }
      if (listed.length === 0) continue
      await this.#removeAll(listed.map((id) => this.#toRow(kind, id)))
      // A server may confirm a removal that it does not make.
      const rest = (await this.#listOwn(kind)) ?? listed
      left.push(...rest.map((id) => this.#describe(this.#toRow(kind, id))))
    }
    return left
  }

  #toRow(kind: OwnRow['kind'], id: number): OwnRow {
    return this.#rows.get(`${kind} ${id}`) ?? { kind, id, cost: 1 }
  }

  /** Whether rows may exist that the server has not shown. */
  #mayHaveMore(kind: OwnRow['kind']): boolean {
    const isKnown = [...this.#rows].every(
      ([name, row]) => row.kind !== kind || this.#shown.has(name),
    )
    return !isKnown || (this.#uncertain.get(kind) ?? 0) > 0
  }

  #describe({ kind, id }: OwnRow): string {
    const path = this.#host.fillPath(paths[kind], id)
    const cure = kind === 'plugin' ? `DELETE ${path}` : `PATCH ${path} with {"deleted": true}`
    return `${articles[kind]} could not be removed. Remove it with ${cure}.`
  }

  #describeUnconfirmed(kind: OwnRow['kind']): string {
    const path = this.#host.fillPath(paths[`${kind}s`])
    return `${articles[kind]} may be left, because the server did not confirm it. Look in GET ${path} for a text that starts with "${this.#text('').trim()}".`
  }

  /** @returns the rows that could not be removed */
  async #removeAll(all: readonly OwnRow[]): Promise<readonly OwnRow[]> {
    let rows = all
    // A second attempt for a row comes after the first one for every other row.
    for (let attempt = 0; attempt < attempts && rows.length > 0; attempt += 1) {
      const failed: OwnRow[] = []
      for (const row of rows) {
        if (!(await this.#remove(row, attempt > 0).catch(() => false))) failed.push(row)
      }
      rows = failed
    }
    return rows
  }

  #text(suffix: string): string {
    return `understudy observe ${this.#host.options.marker} ${suffix}`
  }

  /** @param allowed a status that is an answer although it is a failure */
  async #create(
    round: Round,
    kind: OwnRow['kind'],
    body: object,
    allowed?: number,
  ): Promise<Answer> {
    const path = paths[`${kind}s`]
    const key = this.#host.keys.for(`${kind}:write`)
    const uncertain = this.#uncertain.get(kind) ?? 0
    this.#uncertain.set(kind, uncertain + 1)
    this.#reserve()
    const { sender } = this.#host
    const { count } = sender
    const answer = await round.sendAny('POST', path, { key, body }).catch((error) => {
      if (sender.count === count) this.#uncertain.set(kind, uncertain)
      throw error
    })
    const created = isObject(answer.body) ? answer.body : {}
    const isSuccess = /^20[01]$/.test(`${answer.status}`)
    // A row of another user lacks the marker.
    const isOwn = typeof created.id === 'number' && answer.text.includes(this.#host.options.marker)
    if (isSuccess && isOwn && created.deleted !== true) {
      this.#keep({ kind, id: created.id as number, cost: 1 })
    }
    const isClear = (isSuccess && isOwn) || (answer.status >= 400 && answer.status < 500)
    if (isClear) this.#uncertain.set(kind, uncertain)
    this.#reserve()
    return answer.status === allowed ? answer : this.#host.checkForm(answer, path)
  }

  #keep(row: OwnRow): void {
    this.#rows.set(`${row.kind} ${row.id}`, row)
    this.#reserve()
  }

  /** Keeps requests for the end: those that remove rows, and two lists for each kind that was created. */
  #reserve(): void {
    const costs = [
      ...[...this.#rows.values()].map(({ cost }) => cost),
      ...[...this.#uncertain.values()].map((count) => 2 + count),
    ]
    this.#host.sender.reserved = costs.reduce((sum, cost) => sum + cost, 0)
  }

  /** @param isRepeated whether an earlier attempt may have succeeded, although its response was a failure */
  async #remove({ kind, id, cost }: OwnRow, isRepeated: boolean): Promise<boolean> {
    const key = this.#host.keys.for(`${kind}:write`)
    const send = (method: string, path: string, body?: object): Promise<Answer> =>
      this.#host.request(path, { method, key, id, ...(body && { body }) }, true)
    if (kind === 'annotation') {
      const { status, body } = await send('PATCH', paths.annotation, { deleted: true })
      const isDeleted = status === 200 && isObject(body) && body.deleted !== false
      return isDeleted || (isRepeated && status === 404)
    }
    if (cost > 1) await send('PATCH', paths.plugin, { is_global: false })
    const { status } = await send('DELETE', paths.plugin)
    return status === 204 || status === 404
  }

  /** The ids of own rows that are not deleted, in the first and in the last page. Null if the server lists none properly */
  async #listOwn(kind: OwnRow['kind']): Promise<readonly number[] | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        const { ids, count } = await this.#listPage(kind, 0)
        const last = count > pageSize ? await this.#listPage(kind, count - pageSize) : { ids: [] }
        return [...new Set([...ids, ...last.ids])]
      } catch {
        // The next attempt may succeed.
      }
    }
    return null
  }

  async #listPage(kind: OwnRow['kind'], offset: number): Promise<OwnPage> {
    const isAnnotation = kind === 'annotation'
    const key = this.#host.keys.for(`${kind}:read`)
    const { marker } = this.#host.options
    const query = { limit: pageSize, offset, ...(isAnnotation && { search: marker }) }
    const path = isAnnotation ? paths.annotations : paths.plugins
    const { body } = await this.#host.request(path, { key, query }, true)
    const { results, count } = body as { results: unknown[]; count: number }
    const own = results
      .filter(isObject)
      .filter((row) => row.deleted !== true && JSON.stringify(row).includes(marker))
    return { ids: own.map(({ id }) => id as number), count: Number(count) }
  }
}

const pageSize = 100

type OwnPage = { readonly ids: readonly number[]; readonly count: number }
