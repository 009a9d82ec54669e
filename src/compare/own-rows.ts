import { isObject, tryParseJson } from '../utils/json.ts'
import { fillProbe, type ServerIds } from './fill-probe.ts'
import { type ListOfRows, lists, type Probe, type RowName, rows as rowsOfProbes } from './probes.ts'
import { Ended, type Received } from './sender.ts'

const attempts = 3
const pageSize = 100

/** How rows are removed. */
interface Host {
  readonly ids: ServerIds
  readonly label: string
  /** Sends a request that is allowed also after the end. @throws Ended */
  request(probe: Probe, rows: ReadonlyMap<string, string>): Promise<Received>
  /** Keeps requests for removing rows. */
  reserve(requests: number): void
}

interface OwnRow {
  readonly kind: ListOfRows
  readonly id: string
  isGlobal: boolean
}

/** The rows that probes created on a server, which are removed at the end. */
export class OwnRows {
  readonly #host: Host
  readonly #rows = new Map<string, OwnRow>()
  /** The ids of annotations that were created: they can only be soft-deleted. */
  readonly #annotations = new Set<string>()
  /** The kinds of which rows may exist that the server has not confirmed, and how many. */
  readonly #uncertain = new Map<ListOfRows, number>()

  constructor(host: Host) {
    this.#host = host
  }

  /** Notes that a row is about to be created. @returns a function that notes that the request was not sent */
  expect(name: RowName): () => void {
    const kind = rowsOfProbes[name].list
    const before = this.#uncertain.get(kind)
    this.#uncertain.set(kind, (before ?? 0) + 1)
    this.#reserve()
    return () => {
      if (before === undefined) this.#uncertain.delete(kind)
      else this.#uncertain.set(kind, before)
      this.#reserve()
    }
  }

  /**
   * Notes the answer to the creation of a row, and looks at the row: a server may answer with the id of another one.
   *
   * @returns whether the row is an own one
   */
  async confirm(probe: Probe, received: Received, id: string | null): Promise<boolean> {
    const kind = rowsOfProbes[probe.save as RowName].list
    const isMarked = received.text.includes(this.#host.ids.marker)
    const isCreated = received.status < 300 && id !== null && isMarked
    const isRefused = received.status >= 400 && received.status < 500
    if (!isCreated) {
      if (isRefused) this.#settle(kind)
      return false
    }
    const shown = await this.#send('GET', kind, id).catch(() => null)
    const isDeleted = probe.body?.deleted === true
    const isOwn =
      (shown?.status === 200 && shown.text.includes(this.#host.ids.marker)) ||
      (isDeleted && shown?.status === 404)
    if (!isOwn) return false
    this.#settle(kind)
    if (kind === 'annotations') this.#annotations.add(id)
    const body = tryParseJson(received.text)?.value
    const isGone = isDeleted && isObject(body) && body.deleted === true
    if (!isGone) this.#keep(kind, id)
    return true
  }

  /** Notes what a request did to an own row. */
  note({ method, body }: Probe, kind: ListOfRows, id: string, { status }: Received): void {
    const name = `${kind} ${id}`
    const known = this.#rows.get(name)
    if (method === 'PATCH' && body?.deleted === false) this.#keep(kind, id)
    if (method === 'PATCH' && body?.is_global === true && known) known.isGlobal = true
    const isRemoved = method === 'DELETE' || (method === 'PATCH' && body?.deleted === true)
    if (isRemoved && status < 300) this.#rows.delete(name)
    this.#reserve()
  }

  /** Removes all rows, also those that the server only lists. @returns a sentence for each row that may be left */
  async remove(): Promise<string[]> {
    const failed = await this.#removeAll([...this.#rows.values()])
    const left: string[] = []
    const kinds = new Set([...this.#uncertain.keys(), ...failed.map(({ kind }) => kind)])
    for (const kind of kinds) {
      const listed = await this.#listOwn(kind)
      if (listed === null) {
        left.push(...failed.filter((row) => row.kind === kind).map((row) => this.#describe(row)))
        if ((this.#uncertain.get(kind) ?? 0) > 0) left.push(this.#describeUnconfirmed(kind))
        continue
      }
      if (listed.length === 0) continue
      await this.#removeAll(listed)
      // A server may confirm a removal that it does not make, and may list what it has removed.
      for (const row of (await this.#listOwn(kind)) ?? listed) {
        const shown = await this.#send('GET', kind, row.id).catch(() => null)
        if (!shown || !isGone(shown.status)) left.push(this.#describe(row))
      }
    }
    return left
  }

  /** The paths at which annotations are still there after they were soft-deleted. */
  async visibleAfterRemoval(): Promise<string[]> {
    const visible: string[] = []
    for (const id of this.#annotations) {
      const shown = await this.#send('GET', 'annotations', id).catch(() => null)
      const isThere = shown?.status === 200 && shown.text.includes(this.#host.ids.marker)
      if (isThere) visible.push(this.#shownPath(`${lists.annotations}{row}/`, id))
    }
    return visible
  }

  /** Notes that a row of a kind was not created, or is known. */
  #settle(kind: ListOfRows): void {
    this.#uncertain.set(kind, (this.#uncertain.get(kind) ?? 1) - 1)
    this.#reserve()
  }

  #keep(kind: ListOfRows, id: string): void {
    const name = `${kind} ${id}`
    if (!this.#rows.has(name)) this.#rows.set(name, { kind, id, isGlobal: false })
    this.#reserve()
  }

  /**
   * Each row that may be there is retrieved once more. An annotation is then removed and retrieved again, a plugin is made
   * local and deleted. Each kind is listed.
   */
  #reserve(): void {
    const rows = [...this.#rows.values()].map(({ kind }) => (kind === 'plugins' ? 2 : 1))
    const kinds = [...this.#uncertain.values()].map((count) => 2 + 3 * count)
    const all = [...rows, ...kinds, this.#annotations.size]
    this.#host.reserve(all.reduce((sum, cost) => sum + cost, 0))
  }

  /** @returns the rows that could not be removed */
  async #removeAll(all: readonly OwnRow[]): Promise<readonly OwnRow[]> {
    let rows = all
    // A second attempt for a row comes after the first one for every other row.
    for (let attempt = 0; attempt < attempts && rows.length > 0; attempt += 1) {
      const failed: OwnRow[] = []
      for (const row of rows) {
        const isRemoved = await this.#removeOne(row, attempt > 0).catch(toFalse)
        if (!isRemoved) failed.push(row)
      }
      rows = failed
    }
    return rows
  }

  /** @param isRepeated whether an earlier attempt may have succeeded, although its response was a failure */
  async #removeOne({ kind, id, isGlobal }: OwnRow, isRepeated: boolean): Promise<boolean> {
    if (kind === 'annotations') {
      const { status, text } = await this.#send('PATCH', kind, id, { deleted: true })
      const body = tryParseJson(text)?.value
      const isDeleted = status === 200 && isObject(body) && body.deleted !== false
      return isDeleted || (isRepeated && isGone(status))
    }
    if (isGlobal) await this.#send('PATCH', kind, id, { is_global: false })
    const { status } = await this.#send('DELETE', kind, id)
    return status < 300 || isGone(status)
  }

  /** The own rows of a kind in the first and in the last page. Null if the server lists none properly */
  async #listOwn(kind: ListOfRows): Promise<readonly OwnRow[] | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        const { rows, count } = await this.#listPage(kind, 0)
        const last = count > pageSize ? await this.#listPage(kind, count - pageSize) : { rows: [] }
        return [...new Map([...rows, ...last.rows].map((row) => [row.id, row])).values()]
      } catch {
        // The next attempt may succeed.
      }
    }
    return null
  }

  async #listPage(
    kind: ListOfRows,
    offset: number,
  ): Promise<{ readonly rows: readonly OwnRow[]; readonly count: number }> {
    const search = kind === 'annotations' ? '&search=#' : ''
    const path = `${lists[kind]}?limit=${pageSize}&offset=${offset}${search}`
    const probe = { key: this.#host.label, method: 'GET', path }
    const { text } = await this.#host.request(probe, new Map())
    const { results, count } = JSON.parse(text) as { results: unknown[]; count: number }
    const own = results
      .filter(isObject)
      .filter(({ id, deleted }) => ['number', 'string'].includes(typeof id) && deleted !== true)
      .filter((row) => JSON.stringify(row).includes(this.#host.ids.marker))
    const rows = own.map((row): OwnRow => {
      return { kind, id: `${row.id}`, isGlobal: row.is_global === true }
    })
    return { rows, count: Number(count) }
  }

  #send(method: string, kind: ListOfRows, id: string, body?: Probe['body']): Promise<Received> {
    const path = `${lists[kind]}{row}/`
    const probe = { key: this.#host.label, method, path, ...(body && { body }) }
    return this.#host.request(probe, new Map([['row', id]]))
  }

  #describe({ kind, id }: OwnRow): string {
    const path = this.#shownPath(`${lists[kind]}{row}/`, id)
    const cure = kind === 'plugins' ? `DELETE ${path}` : `PATCH ${path} with {"deleted": true}`
    return `${articles[kind]} could not be removed. Remove it with ${cure}.`
  }

  #describeUnconfirmed(kind: ListOfRows): string {
    const { marker } = this.#host.ids
    return `${articles[kind]} may be left, because the server did not confirm it. Look in GET ${this.#shownPath(lists[kind])} for a text that starts with "understudy ${marker}".`
  }

  #shownPath(path: string, id = ''): string {
    const probe = { key: null, method: 'GET', path }
    return fillProbe(probe, this.#host.ids, new Map([['row', id]]))?.path ?? path
  }
}

const articles = { annotations: 'An annotation', plugins: 'A plugin' } as const

function isGone(status: number): boolean {
  return status === 404 || status === 410
}

/** @throws the error itself if it is a defect */
function toFalse(error: unknown): false {
  if (error instanceof Ended) return false
  throw error
}
