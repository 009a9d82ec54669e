import { readRows } from '../mistakes/seen-request.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import type { Unseen } from './comparison.ts'
import { type FilledRequest, fillProbe, type ServerIds } from './fill-probe.ts'
import {
  isCreation,
  isId,
  type ListOfRows,
  lists,
  type Probe,
  type RowName,
  rows as rowsOfProbes,
} from './probes.ts'
import { Ended, type ProbeSender, type Received } from './sender.ts'
import { readSignature, type Signature } from './signature.ts'

export class Player {
  readonly own: OwnRows
  readonly #url: string
  readonly #sender: ProbeSender
  readonly #ids: ServerIds
  #rows: ReadonlyMap<string, string> = new Map()

  constructor(url: string, sender: ProbeSender, ids: ServerIds) {
    this.#url = url.replace(/\/+$/, '')
    this.#sender = sender
    this.#ids = ids
    const [key = ''] = Object.keys(ids.keys)
    // The rows were made with the same ids, so none of them is missing.
    const request: Host['request'] = (probe, rows) =>
      this.#send(fillProbe({ key, ...probe }, ids, rows) as FilledRequest, true)
    this.own = new OwnRows({ ids, request })
  }

  /** @returns why nothing is concluded from a probe that cannot be sent, or got no response */
  async play(probe: Probe): Promise<Signature | Unseen> {
    if (this.#sender.end !== null) return { why: 'ended', got: null }
    const request = fillProbe(probe, this.#ids, this.#rows)
    if (request === null) return { why: 'not_sent', got: null }
    const rows = this.#rows
    const received = await this.#answer(probe, request)
    if (received instanceof Ended) return received
    return readSignature({ probe, base: this.#url, values: request.values, rows, ...received })
  }

  async #answer(probe: Probe, request: FilledRequest) {
    const { count } = this.#sender
    const received = await this.#send(request).catch((error) => {
      if (!(error instanceof Ended)) throw error
      return error
    })
    if (received instanceof Ended) {
      if (isCreation(probe) && this.#sender.count > count) await this.own.confirm(probe, null, null)
      return received
    }
    const id = probe.save === undefined ? null : savedId(received)
    const isSaved = isCreation(probe) ? await this.own.confirm(probe, received, id) : id !== null
    if (isSaved) this.#rows = new Map([...this.#rows, [probe.save as string, id as string]])
    return received
  }

  /** @throws Ended */
  async #send(request: FilledRequest, isRemoval = false) {
    const { method, path, headers, body } = request
    const init = { method, headers, ...(body !== undefined && { body }) }
    return this.#sender.send(this.#url + path, init, isRemoval)
  }
}

/** The id of the row that a successful answer contains, or of the first row that it lists. Null if it has none */
function savedId({ status, text }: Received): string | null {
  const [row] = status < 300 ? readRows(tryParseJson(text)?.value) : []
  return row ? `${row.id}` : null
}

const attempts = 3
const pageSize = 100

interface Host {
  readonly ids: ServerIds
  /** Sends a request that is allowed also after the end. @throws Ended */
  request(probe: Omit<Probe, 'key'>, rows: ReadonlyMap<string, string>): Promise<Received>
}

interface OwnRow {
  readonly kind: ListOfRows
  readonly id: string
  readonly isGlobal: boolean
}

/** The rows that probes created on a server, which are removed at the end. */
class OwnRows {
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

  async #isOwn(probe: Probe, kind: ListOfRows, received: Received | null, id: string | null) {
    if (!received || received.status >= 300 || id === null || !this.#isMarked(received))
      return false
    const shown = await this.#send('GET', kind, id).catch(toNull)
    const isDeleted = probe.body?.deleted === true && shown?.status === 404
    return isDeleted || (shown?.status === 200 && this.#isMarked(shown))
  }

  /** Removes all rows that the server has shown, and those that it lists. @returns a sentence for each row that may be left */
  async remove(): Promise<string[]> {
    const left: string[] = []
    const kinds = new Set([...this.#rows.map(({ kind }) => kind), ...this.#uncertain])
    for (const kind of kinds) {
      const listed = await this.#listOwn(kind)
      const known = this.#rows.filter((row) => row.kind === kind)
      for (const row of new Map([...known, ...(listed ?? [])].map((row) => [row.id, row])).values())
        if (!(await this.#removeOne(row))) left.push(this.#describe(row))
      if (listed === null && this.#uncertain.has(kind)) left.push(this.#describeUnconfirmed(kind))
    }
    return left
  }

  #isMarked({ text }: Received) {
    return text.includes(this.#host.ids.marker)
  }

  /** Removes a row, and looks at it: a server may confirm a removal that it does not make. */
  async #removeOne({ kind, id, isGlobal }: OwnRow) {
    const send = (method: string, body?: Probe['body']): Promise<Received | null> =>
      this.#send(method, kind, id, body).catch(toNull)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      // A plugin may have been refused because it is global.
      if (kind === 'plugins' && (isGlobal || attempt > 0)) await send('PATCH', { is_global: false })
      const removed = await (kind === 'plugins' ? send('DELETE') : send('PATCH', { deleted: true }))
      const shown = await send('GET')
      const body = tryParseJson(shown?.text ?? '')?.value
      const isDeleted = isObject(body) && body.deleted === true
      const isThere = shown?.status === 200 && this.#isMarked(shown) && !isDeleted
      const isConfirmed = isGone(removed) || Number(removed?.status) < 300
      if (!isThere && (isConfirmed || isGone(shown))) return true
    }
    return false
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
    const { text } = await this.#host.request({ method: 'GET', path }, new Map())
    const { results, count } = JSON.parse(text) as { results: unknown[]; count: number }
    const own = results
      .filter(isObject)
      .filter(({ id, deleted }) => isId(id) && deleted !== true)
      .filter((row) => JSON.stringify(row).includes(this.#host.ids.marker))
    const rows = own.map((row): OwnRow => {
      return { kind, id: `${row.id}`, isGlobal: row.is_global === true }
    })
    return { rows, count: Number(count) }
  }

  #send(method: string, kind: ListOfRows, id: string, body?: Probe['body']) {
    const path = `${lists[kind]}{row}/`
    return this.#host.request({ method, path, ...(body && { body }) }, new Map([['row', id]]))
  }

  #describe({ kind, id }: OwnRow) {
    const path = this.#shownPath(`${lists[kind]}{row}/`, id)
    const cure = kind === 'plugins' ? `DELETE ${path}` : `PATCH ${path} with {"deleted": true}`
    return `${articles[kind]} could not be removed. Remove it with ${cure}.`
  }

  #describeUnconfirmed(kind: ListOfRows) {
    const { marker } = this.#host.ids
    return `${articles[kind]} may be left, because the server did not confirm it. Look in GET ${this.#shownPath(lists[kind])} for a text that starts with "understudy ${marker}".`
  }

  #shownPath(path: string, id = '') {
    const probe = { key: null, method: 'GET', path }
    return fillProbe(probe, this.#host.ids, new Map([['row', id]]))?.path ?? path
  }
}

const articles = { annotations: 'An annotation', plugins: 'A plugin' } as const

function isGone(received: Received | null) {
  return received?.status === 404 || received?.status === 410
}

/** @throws the error itself if it is a defect */
function toNull(error: unknown) {
  if (error instanceof Ended) return null
  throw error
}
