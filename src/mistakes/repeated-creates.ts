import type { JournalChange } from '../simulator/journal/entry.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import {
  createdIn,
  deletionsIn,
  hasError,
  hasNoAnswer,
  isCreate,
  isDeletion,
  sentBody,
} from './creates.ts'
import { LatestMap } from './latest-map.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

export const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  sentence:
    'A client repeated a create whose response was lost or broke off, or was a server error after the row was created, and did not look first whether the row exists. A look counts if its page can show the row, with any key: not a search for something else, and not a page before the one of the row. If one of the two rows is deleted again, nothing is reported.',
  cure: 'List before you repeat a create, with a key that can read. The API has no idempotency keys. If your code has no retry, its HTTP client has one.',
  level: 'error',
  ...readInSource,
}

/** A create whose client does not know whether there is a row. */
interface OpenCreate {
  readonly request: ClientRequest
  readonly row: JournalChange | undefined
  /** Looks since that could not show the row */
  readonly looks: ClientRequest[]
}

export class RepeatedCreates implements Watch {
  /** By client and list: the latest one */
  readonly #open = new LatestMap<string, OpenCreate>()
  /** Breaches, with the rows of which one must stay */
  #found: { readonly breach: Breach; readonly rows: readonly JournalChange[] }[] = []

  see(request: ClientRequest): void {
    this.#correct(request)
    if (isCreate(request)) this.#create(request)
    else this.#look(request)
  }

  breaches(): readonly Breach[] {
    return this.#found.map(({ breach }) => breach)
  }

  #create(request: ClientRequest): void {
    const list = `${request.client} ${request.path}`
    const open = this.#open.get(list)
    this.#open.delete(list)
    if (open && sentBody(open.request) === sentBody(request)) this.#report(list, open, request)
    if (!hasNoAnswer(request) || !request.isSentKept) return
    const row = createdIn(request)
    // A row that was deleted from the start is in no list.
    if (row && isDeletion(row)) return
    this.#open.set(list, { request, row, looks: [] })
  }

  #look(look: ClientRequest): void {
    if (this.#open.size === 0 || !(look.page || look.isUnread)) return
    for (const [list, open] of this.#open) {
      if (!isSameList(open.request.path, look.path)) continue
      if (look.page && !canShow(look, look.page, open)) {
        if (open.looks.length < maxLooks) open.looks.push(look)
        continue
      }
      this.#open.delete(list)
    }
  }

  /** Forgets what the deletion of a row corrects, by whomever. */
  #correct({ changes }: ClientRequest): void {
    const isGone = deletionsIn(changes)
    if (!isGone) return
    for (const [list, { row }] of this.#open) if (isGone(row)) this.#open.delete(list)
    this.#found = this.#found.filter(({ rows }) => !rows.some(isGone))
  }

  #report(list: string, { request, row, looks }: OpenCreate, repetition: ClientRequest): void {
    if (this.#found.length >= maxFound) return
    const got = hasError(request) ? `a ${request.status}` : 'no complete response'
    const look = looks.length === 0 ? '' : ' What it read in between could not show the row.'
    const fact = row
      ? 'The first one had created a row, so there are two now.'
      : 'The first one was not carried out, which the client could not know.'
    const message = `The client got ${got} for a create, and sent it again.${look} ${fact}`
    const rows = [row, createdIn(repetition)].flatMap((created) => created ?? [])
    const requests = [request, ...looks, repetition]
    const cure = cureOf(request, repetition)
    const breach = { rule: repeatedCreate, subject: `${list} ${fact}`, message, cure, requests }
    this.#found.push({ breach, rows: row ? rows : [] })
  }
}

/** With the time between the two requests, by which people tell a retry of their code from one of its HTTP client. */
function cureOf(request: ClientRequest, repetition: ClientRequest): string {
  const ms = repetition.at - request.at
  const time = `The second request came ${ms.toLocaleString('en')} ms after the first one.`
  return repetition.isTimed ? `${repeatedCreate.cure} ${time}` : repeatedCreate.cure
}

const maxLooks = 10
const maxFound = 1_000

/** Whether a page shows the row of a create, or should if there is one. */
function canShow(look: ClientRequest, page: ListPage, { request, row }: OpenCreate): boolean {
  if (page.rows.some(({ id }) => id === row?.id)) return true
  const { content, name, date_marker: time } = Object(request.sent)
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
