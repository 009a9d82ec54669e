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
}

interface OwnRow {
  readonly kind: ListOfRows
  readonly id: string
  readonly isGlobal: boolean
}

/** What remained of own rows, in words. */
interface Removal {
  /** A sentence for each row that may be left */
  readonly left: readonly string[]
  /** The paths of annotations that are shown after they were soft-deleted */
  readonly visible: readonly string[]
}

/** The rows that probes created on a server, which are removed at the end. */
export class OwnRows {
  readonly #host: Host
  /** Those that the server has shown. */
  readonly #rows: OwnRow[] = []
  /** The kinds of which rows may exist that the server has not confirmed. */
  readonly #uncertain = new Set<ListOfRows>()

  constructor(host: Host) {
    this.#host = host
  }

  /**
   * Notes the answer to the creation of a row, and looks at the row: a server may answer with the id of another one.
   *
   * @param received null without an answer
   * @returns whether the row is an own one
   */
  async confirm(probe: Probe, received: Received | null, id: string | null): Promise<boolean> {
    const kind = rowsOfProbes[probe.save as RowName].list
    if (received && received.status >= 400 && received.status < 500) return false
    if (!(await this.#isOwn(probe, kind, received, id))) {
      this.#uncertain.add(kind)
      return false
    }
    this.#rows.push({ kind, id: id as string, isGlobal: false })
    return true
  }

  async #isOwn(
    probe: Probe,
    kind: ListOfRows,
    received: Received | null,
    id: string | null,
  ): Promise<boolean> {
    if (!received || received.status >= 300 || id === null || !this.#isMarked(received))
      return false
    const shown = await this.#send('GET', kind, id).catch(toNull)
    const isDeleted = probe.body?.deleted === true && shown?.status === 404
    return isDeleted || (shown?.status === 200 && this.#isMarked(shown))
  }

  /** Removes all rows that the server has shown, and those that it lists. */
  async remove(): Promise<Removal> {
    const [left, visible]: [string[], string[]] = [[], []]
    const kinds = new Set([...this.#rows.map(({ kind }) => kind), ...this.#uncertain])
    for (const kind of kinds) {
      const listed = await this.#listOwn(kind)
      const known = this.#rows.filter((row) => row.kind === kind)
      const rows = [...new Map([...known, ...(listed ?? [])].map((row) => [row.id, row])).values()]
      const failed = await this.#removeAll(rows)
      for (const row of rows) {
        // A server may confirm a removal that it does not make, and may list what it has removed.
        const shown = await this.#send('GET', kind, row.id).catch(toNull)
        const isShown = shown?.status === 200 && this.#isMarked(shown)
        const body = isShown ? tryParseJson(shown.text)?.value : undefined
        const isDeleted = isObject(body) && body.deleted === true
        if (isShown && isDeleted) visible.push(this.#shownPath(`${lists[kind]}{row}/`, row.id))
        else if (isShown || (failed.includes(row) && !isGone(shown))) left.push(this.#describe(row))
      }
      if (listed === null && this.#uncertain.has(kind)) left.push(this.#describeUnconfirmed(kind))
    }
    return { left, visible }
  }

  #isMarked({ text }: Received): boolean {
    return text.includes(this.#host.ids.marker)
  }

  /** @returns the rows that could not be removed */
  async #removeAll(all: readonly OwnRow[]): Promise<readonly OwnRow[]> {
    let rows = all
    // A second attempt for a row comes after the first one for every other row.
    for (let attempt = 0; attempt < attempts && rows.length > 0; attempt += 1) {
      const failed: OwnRow[] = []
      for (const row of rows) {
        if (!(await this.#removeOne(row, attempt > 0).catch(toNull))) failed.push(row)
      }
      rows = failed
    }
    return rows
  }

  /** @param isRepeated whether a plugin may have been refused because it is global */
  async #removeOne({ kind, id, isGlobal }: OwnRow, isRepeated: boolean): Promise<boolean> {
    if (kind === 'annotations') {
      const received = await this.#send('PATCH', kind, id, { deleted: true })
      const body = tryParseJson(received.text)?.value
      const isDeleted = received.status === 200 && isObject(body) && body.deleted !== false
      return isDeleted || isGone(received)
    }
    if (isGlobal || isRepeated) await this.#send('PATCH', kind, id, { is_global: false })
    const received = await this.#send('DELETE', kind, id)
    return received.status < 300 || isGone(received)
  }

  /** The own rows of a kind in the first and in the last page. Null if the server lists none properly */
  async #listOwn(kind: ListOfRows): Promise<readonly OwnRow[] | null> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        const { rows, count } = await this.#listPage(kind, 0)
        const last = count > pageSize ? await this.#listPage(kind, count - pageSize) : { rows: [] }
        return [...rows, ...last.rows]
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

function isGone(received: Received | null): boolean {
  return received?.status === 404 || received?.status === 410
}

/** @throws the error itself if it is a defect */
function toNull(error: unknown): null {
  if (error instanceof Ended) return null
  throw error
}
