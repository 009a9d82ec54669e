import type { JournalChange } from '../simulator/journal/entry.ts'
import { isSameJson } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest, ListRow } from './client-request.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

export const undoneChange: ClientRule = {
  id: 'undone-change',
  sentence:
    'An update overwrote a change that another client had made since the client read the row; or it set a field back to the value before such a change, together with another field, and the client had seen the change only in the response of an update of its own.',
  cure: 'Read the row again before you change it, and send only the fields that the user changed. The last write wins, without a warning.',
  level: 'error',
  ...readInSource,
}

/** A row as a client read it last. */
interface ReadRow {
  readonly request: ClientRequest
  /** The row, if the response shows others, too */
  readonly row?: ListRow
  /** The fields that the client wrote since */
  readonly written: readonly string[]
  /** What it had read before its own update, whose response shows the row, too. A form can still have these values */
  readonly before?: ReadRow
}

/** A page that a client read. */
interface ReadPage {
  readonly rows: readonly ListRow[]
  readonly request: ClientRequest
}

export class UndoneChanges implements Watch {
  /** By client, list and id: rows that were read alone */
  readonly #rows = new LatestMap<string, ReadRow>(10_000)
  /** By client and list: the latest pages, the latest last */
  readonly #pages = new LatestMap<string, ReadPage[]>()
  readonly #found: Breach[] = []

  see(request: ClientRequest): void {
    const { client, verb } = request
    if (verb === undefined || !readVerbs.has(verb)) return
    const isUpdate = verb === 'update' || verb === 'replace'
    const sent = isUpdate ? Object.keys(Object(request.sent)) : []
    const changed = isUpdate
      ? request.changes.map((change) => [change, this.#find(client, change)] as const)
      : []
    this.#read(request, sent)
    for (const [change, known] of changed) {
      if (!known) continue
      const row = `${client} ${change.list} ${change.id}`
      if (this.#rows.get(row) === known) {
        this.#rows.set(row, wrote(known, sent))
      }
      const overwritten = describeOverwritten(change, known, sent)
      const message = overwritten ?? describeTakenBack(change, known, sent)
      const read = overwritten === null ? known.before : known
      if (message === null || this.#found.length >= maxFound) continue
      this.#found.push({
        rule: undoneChange,
        subject: row,
        message,
        requests: [(read ?? known).request, request],
      })
    }
  }

  breaches(): readonly Breach[] {
    return this.#found
  }

  #read(request: ClientRequest, written: readonly string[]): void {
    const { client, page, isLost, list: name } = request
    if (isLost || request.status !== 200) return
    const list = `${client} ${name}`
    // What the client read last is not known.
    if (request.isUnread) this.#forget(list)
    else if (page) {
      const pages = this.#pages.get(list) ?? []
      pages.push({ rows: page.rows, request })
      if (pages.length > maxPages) pages.shift()
      this.#pages.set(list, pages)
    } else {
      const id = idOf(request)
      if (id === undefined) return
      const name = `${list} ${id}`
      const known = isRead(request) ? undefined : this.#rows.get(name)
      const before = known && (known.before ?? known)
      this.#rows.set(name, { request, written, ...(before && { before: wrote(before, written) }) })
    }
  }

  #forget(list: string): void {
    this.#pages.delete(list)
    for (const row of [...this.#rows.keys()]) if (row.startsWith(`${list} `)) this.#rows.delete(row)
  }

  /** Finds how a client read a row last: alone, or on a page. */
  #find(client: string, { list, id }: Pick<JournalChange, 'list' | 'id'>): ReadRow | undefined {
    const name = `${client} ${list} ${id}`
    const alone = this.#rows.get(name)
    const pages = this.#pages.get(`${client} ${list}`) ?? []
    for (const { rows, request } of pages.toReversed()) {
      if (alone && alone.request.record.id >= request.record.id) break
      const row = rows.find((shown) => shown.id === id)
      if (!row) continue
      const known = { request, row, written: [] }
      this.#rows.set(name, known)
      return known
    }
    return alone
  }
}

const maxPages = 20
const maxFound = 1_000

/** The operations whose responses show rows as they are now. */
const readVerbs: ReadonlySet<string> = new Set([
  'list',
  'retrieve',
  'update',
  'replace',
  'check',
  'upgrade',
])

/** The id of the row that a response shows, without reading it if the path says it. */
function idOf(request: ClientRequest): unknown {
  const { verb, row, isServed } = request
  const isNamed = verb === 'retrieve' || verb === 'update' || verb === 'replace'
  return isNamed && isServed ? row?.id : Object(request.received).id
}

/** @param sent the names of the fields that the update has */
function describeOverwritten(
  { fields }: JournalChange,
  { request, row, written }: ReadRow,
  sent: readonly string[],
): string | null {
  const names = sent.filter((name) => name in fields && !written.includes(name))
  if (names.length === 0) return null
  const values = Object(row ?? request.received)
  const overwritten = names.flatMap((name) => {
    const field = fields[name] as JournalChange['fields'][string]
    if (!(name in values) || isSameJson(values[name], field[0])) return []
    const [before, after, read] = [...field, values[name]].map((value) =>
      show(request.show(name, value)),
    )
    return `${name} from ${before} to ${after}, where the client had read ${read}`
  })
  return overwritten.length === 0 ? null : `The update sets ${overwritten.join(', and ')}.`
}

function isRead({ verb }: ClientRequest): boolean {
  return verb !== 'update' && verb !== 'replace'
}

function wrote(known: ReadRow, names: readonly string[]): ReadRow {
  return { ...known, written: [...known.written, ...names] }
}

/** Describes fields that a form with old values sets back, though the client may have seen the new ones. */
function describeTakenBack(
  change: JournalChange,
  { before }: ReadRow,
  sent: readonly string[],
): string | null {
  // A client that sets one field back can mean it.
  if (!before || sent.length < 2) return null
  const values = Object(before.row ?? before.request.received)
  const old = sent.filter((name) => isSameJson(change.fields[name]?.[1], values[name]))
  return describeOverwritten(change, before, old)
}

const maxShownLength = 60

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
