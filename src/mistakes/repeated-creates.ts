import type { JournalChange } from '../simulator/journal/entry.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import {
  CreateSeries,
  createdIn,
  deletionsIn,
  hasError,
  hasNoAnswer,
  isCreate,
  isDeletion,
  nameOfCreate,
} from './creates.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

export const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  sentence:
    'A client repeated a create whose response was lost or broke off, or was a server error after the row was created, and did not look first whether the row exists. A look counts if its page can show the row, with any key: not a search for something else, and not a page before the one of the row. Nothing is reported if all of the rows but one are deleted again. The row that had a response counts once a list has shown all of them.',
  cure: 'List before you repeat a create, with a key that can read. The API has no idempotency keys. If your code has no retry, its HTTP client has one.',
  level: 'error',
  ...readInSource,
}

/** A create that the client repeats as long as it does not know whether there is a row. */
interface OpenCreate {
  readonly series: CreateSeries
  /** The creates, and the looks between them that could not show the row */
  readonly requests: ClientRequest[]
  /** Such looks since the latest create */
  looks: ClientRequest[]
  /** Whether a list showed all of the rows */
  isSeen: boolean
}

export class RepeatedCreates implements Watch {
  /** By client, list and body */
  readonly #open = new LatestMap<string, OpenCreate>()
  #found: OpenCreate[] = []

  see(request: ClientRequest): void {
    this.#correct(request)
    if (isCreate(request)) this.#create(request)
    else this.#look(request)
  }

  breaches(): readonly Breach[] {
    return this.#found.map(describe)
  }

  #create(request: ClientRequest): void {
    const isUnanswered = hasNoAnswer(request)
    if (!isUnanswered && (this.#open.size === 0 || request.status >= 400)) return
    if (!request.isSentKept) return
    const name = nameOfCreate(request)
    const open = this.#open.get(name)
    if (open) this.#repeat(open, request)
    const isClosed = !isUnanswered || open?.series.isFull
    if (isClosed) this.#open.delete(name)
    else if (open) this.#open.set(name, open)
    else this.#start(name, request)
  }

  #start(name: string, request: ClientRequest): void {
    const row = createdIn(request)
    // A row that was deleted from the start is in no list.
    if (row && isDeletion(row)) return
    this.#open.set(name, {
      series: new CreateSeries(request),
      requests: [request],
      looks: [],
      isSeen: false,
    })
  }

  #repeat(open: OpenCreate, request: ClientRequest): void {
    open.series.add(request)
    open.requests.push(...open.looks, request)
    open.looks = []
    if (open.series.isCorrected || this.#found.includes(open)) return
    if (this.#found.length < maxFound) this.#found.push(open)
  }

  #look(look: ClientRequest): void {
    if (this.#open.size + this.#found.length === 0 || !(look.page || look.isUnread)) return
    const ids = new Set(look.page?.rows.map(({ id }) => id))
    const isShown = ({ list, id }: JournalChange) => list === look.list && ids.has(id as number)
    for (const open of this.#found) open.isSeen ||= look.isUnread || open.series.left.every(isShown)
    for (const [name, open] of this.#open) {
      const [first] = open.requests as [ClientRequest]
      if (!isSameList(first.path, look.path)) continue
      if (look.page && !canShow(look, look.page, open)) {
        if (open.looks.length < maxLooks) open.looks.push(look)
        continue
      }
      this.#open.delete(name)
    }
  }

  /** Forgets what the deletion of a row corrects, by whomever. */
  #correct({ changes }: ClientRequest): void {
    const isGone = deletionsIn(changes)
    if (!isGone) return
    for (const open of [...this.#found, ...this.#open.values()]) {
      const unknown = unknownRows(open)
      open.series.forget((row) => isGone(row) && (open.isSeen || unknown.includes(row)))
    }
    this.#found = this.#found.filter(({ series }) => !series.isCorrected)
    for (const [name, { series }] of this.#open) {
      if (series.created > 0 && series.left.length === 0) this.#open.delete(name)
    }
  }
}

/** The rows that were created by requests without a response. */
function unknownRows({ series }: OpenCreate): readonly JournalChange[] {
  return series.requests.filter(hasNoAnswer).flatMap((request) => createdIn(request) ?? [])
}

function describe({ series, requests }: OpenCreate): Breach {
  const [first, second] = series.requests as [ClientRequest, ClientRequest]
  const { client, path } = first
  const got = hasError(first) ? `a ${first.status}` : 'no complete response'
  const hasLooked = requests.length > series.requests.length
  const look = hasLooked ? ' What it read in between could not show the row.' : ''
  const message = `The client got ${got} for a create, and sent it again.${look} ${countRows(series)}`
  const subject = `${client} ${path} ${message}`
  return { rule: repeatedCreate, subject, message, cure: cureOf(first, second), requests }
}

function countRows({ requests, created, left }: CreateSeries): string {
  const creates = `The ${requests.length} requests created`
  if (created === 0) return `${creates} no row, which the client could not know.`
  if (created === 1) return `${creates} one row, which the client could not know.`
  const deleted = created - left.length
  const rest =
    deleted === 0 ? '' : `, and ${deleted} of them ${deleted === 1 ? 'was' : 'were'} deleted again`
  return `${creates} ${created} rows${rest}.`
}

/** With the time between the two requests, by which people tell a retry of their code from one of its HTTP client. */
function cureOf(request: ClientRequest, repetition: ClientRequest): string {
  const ms = repetition.record.at - request.record.at
  const time = `The second request came ${ms.toLocaleString('en')} ms after the first one.`
  return repetition.record.isTimed ? `${repeatedCreate.cure} ${time}` : repeatedCreate.cure
}

const maxLooks = 10
const maxFound = 1_000

/** Whether a page shows the row of a create, or should if there is one. */
function canShow(look: ClientRequest, page: ListPage, { series }: OpenCreate): boolean {
  if (page.rows.some(({ id }) => series.left.some((row) => row.id === id))) return true
  const { content, name, date_marker: time } = Object(series.requests[0]?.sent)
  if (!isFoundBy(look.query.get('search') ?? '', content ?? name)) return false
  const last = page.rows.at(-1)
  if (page.next === null || !last) return true
  // Plugins are in the order of their ids. Annotations are sorted by time, the newest first, and first those without one.
  if (!('date_marker' in last)) return false
  return typeof time !== 'string' || Date.parse(time) >= Date.parse(String(last.date_marker))
}

function isFoundBy(search: string, text: unknown): boolean {
  const terms = search.toLowerCase().split(/[\s,]+/)
  return terms.every((term) =>
    String(text ?? '')
      .toLowerCase()
      .includes(term),
  )
}

/** Whether two paths name the same list. `@current` can be any project or organization. */
function isSameList(a: string, b: string): boolean {
  const [parts, others] = [a.split('/'), b.split('/')]
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || [part, others[at]].includes('@current'))
  )
}
