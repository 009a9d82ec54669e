import type { JournalChange } from '../simulator/journal/entry.ts'
import { isSameJson } from '../utils/json.ts'
import type { ClientRequest, ListRow } from './client-request.ts'
import { LatestMap } from './latest-map.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

export const undoneChange: ClientRule = {
  id: 'undone-change',
  sentence:
    'An update overwrote a change that another client had made since the client read the row.',
  cure: 'Read the row again before you change it, and send only the fields that the user changed. The last write wins, without a warning.',
  level: 'error',
  ...readInSource,
}

/** A row as a client read it last. Fields that it wrote later are missing. */
interface ReadRow {
  readonly values: Readonly<Record<string, unknown>>
  readonly request: ClientRequest
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
    const { entry, client, list, verb } = request
    const isUpdate = verb === 'update' || verb === 'replace'
    const sent = isUpdate ? Object.keys(Object(entry.request.body)) : []
    const changed = isUpdate
      ? entry.changes.map((change) => [change, this.#find(client, change)] as const)
      : []
    if (verb !== undefined && readVerbs.has(verb)) this.#read(request, `${client} ${list}`, sent)
    for (const [change, known] of changed) {
      if (!known) continue
      const row = `${client} ${change.list} ${change.id}`
      if (this.#find(client, change) === known) {
        this.#rows.set(row, { values: without(known.values, sent), request: known.request })
      }
      const message = describeOverwritten(change, known, sent)
      if (message === null || this.#found.length >= maxFound) continue
      this.#found.push({
        rule: undoneChange,
        subject: row,
        message,
        requests: [known.request, request],
      })
    }
  }

  breaches(): readonly Breach[] {
    return this.#found
  }

  #read(request: ClientRequest, list: string, sent: readonly string[]): void {
    const { page, entry, isLost } = request
    const isUnread = request.isUnread || request.isReplaced
    if (isLost || entry.response.status !== 200) return
    if (page && !isUnread) {
      const pages = this.#pages.get(list) ?? []
      pages.push({ rows: page.rows, request })
      if (pages.length > maxPages) pages.shift()
      this.#pages.set(list, pages)
      return
    }
    if (isUnread) {
      // What the client read last is not known, or no row of the world.
      this.#forget(list)
      return
    }
    const row = entry.response.body as ListRow | null
    if (row?.id !== undefined)
      this.#rows.set(`${list} ${row.id}`, { values: without(row, sent), request })
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
    const page = pages.findLast(({ rows }) => rows.some((row) => row.id === id))
    if (!page || (alone && alone.request.entry.id >= page.request.entry.id)) return alone
    const row = page.rows.find((shown) => shown.id === id) as ListRow
    const found = { values: page.request.page?.show(row) ?? row, request: page.request }
    this.#rows.set(name, found)
    return found
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

function without(values: ReadRow['values'], names: readonly string[]): ReadRow['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

/** @param sent the names of the fields that the update has */
function describeOverwritten(
  { fields }: JournalChange,
  { values }: ReadRow,
  sent: readonly string[],
): string | null {
  const overwritten = sent.flatMap((name) => {
    const field = fields[name]
    if (!field || !(name in values) || isSameJson(values[name], field[0])) return []
    const [before, after] = field.map(show)
    return `${name} from ${before} to ${after}, where the client had read ${show(values[name])}`
  })
  return overwritten.length === 0 ? null : `The update sets ${overwritten.join(', and ')}.`
}

const maxShownLength = 60

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
}
