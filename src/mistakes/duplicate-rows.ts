import type { JournalChange } from '../simulator/journal/entry.ts'
import { isObject } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { type ClientRequest, isOverlapping, type ListRow } from './client-request.ts'
import {
  CreateSeries,
  createdIn,
  deletionsIn,
  hasNoAnswer,
  isCreate,
  nameOfCreate,
} from './creates.ts'
import { type Breach, type ClientRule, seenInFramework, type Watch } from './rule.ts'

export const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  sentence:
    'A client sent the same create twice, the second time before the first one had its response; or it sent one that had no response again, although it had read the row. Two creates with one `Idempotency-Key` are the same, too. Another row like one that it had read last, or created with a time, is a note: a user can want a copy. Three or more at once are a note: they can be rows for a test. Nothing is reported if all of the rows but one are deleted again.',
  cure: 'Unless two rows are wanted, look for an equal row in the list before you create one.',
  level: 'error',
  ...seenInFramework,
}

const clickCure =
  'Send a create once: disable its button until the response has arrived and the list is read again, and send no second copy of a request that is on its way.'
const keyCure =
  'The API has no idempotency keys. Look for the row in the list before you send a create again.'
const textCure =
  'Unless two rows are wanted, compare texts as the API stores them: without white space around them.'
const timeCure =
  'Unless two rows are wanted, compare times as points in time, not as texts. The API writes them in UTC, with six digits of fraction or none.'

/** The pages of a list that a client read last, from the first one on. */
interface ShownRows {
  readonly pages: { readonly rows: readonly ListRow[]; readonly request: ClientRequest }[]
}

type Row = Readonly<Record<string, unknown>>

/** A row that a client read, and the request that showed it. */
interface KnownRow {
  readonly row: ListRow
  readonly request: ClientRequest
}

interface Found {
  readonly breach: Breach
  /** The rows of which both must stay */
  readonly rows: readonly JournalChange[]
}

export class DuplicateRows implements Watch {
  /** By client and list */
  readonly #shown = new LatestMap<string, ShownRows>()
  /** By client and list: the latest request for a single row */
  readonly #retrieved = new LatestMap<string, ClientRequest>()
  /** By list and id: a create whose client may not know that it created the row */
  readonly #unanswered = new LatestMap<string, ClientRequest>()
  /** By client, list and body: the latest creates, each sent before the one before had its response */
  readonly #latest = new LatestMap<string, CreateSeries>()
  /** By list and id: the latest rows that were changed */
  readonly #changed = new LatestMap<string, true>()
  /** Those of more than one */
  #clicks: CreateSeries[] = []
  #found: Found[] = []

  see(request: ClientRequest): void {
    const { changes } = request
    this.#correct(changes)
    for (const { kind, list, id } of changes) {
      if (kind === 'created') continue
      this.#changed.set(`${list} ${id}`, true)
      this.#shown.clear()
      this.#retrieved.clear()
    }
    this.#show(request)
    if (!isCreate(request)) return
    const known = this.#findCreated(request)
    this.#click(request)
    this.#create(request, known)
  }

  breaches(): readonly Breach[] {
    const again = new Set(this.#clicks.flatMap(({ requests }) => requests))
    return [
      ...this.#clicks.map(describeClicks),
      ...this.#found.flatMap(({ breach }) =>
        again.has(breach.requests.at(-1) as ClientRequest) ? [] : [breach],
      ),
    ]
  }

  #show(request: ClientRequest): void {
    const { client, page, isUnread, path } = request
    if (request.verb === 'retrieve' && request.status === 200) {
      this.#retrieved.set(`${client} ${path.slice(0, path.lastIndexOf('/'))}`, request)
    }
    if (!page && !isUnread) return
    const list = `${client} ${path}`
    if (isUnread) this.#shown.delete(list)
    if (!page) return
    const before = page.previous === null ? [] : (this.#shown.get(list)?.pages ?? [])
    const pages = [...before, { rows: page.rows, request }].slice(-maxPages)
    this.#shown.set(list, { pages })
  }

  #click(request: ClientRequest): void {
    const { content, name: title } = Object(request.sent)
    const isNamed = content || title || idempotencyKey(request)
    if (!isNamed || hasNoAnswer(request) || !createdIn(request)) return
    const name = nameOfCreate(request)
    const series = this.#latest.get(name)
    const last = series?.requests.at(-1)
    if (!series || !last || series.isFull || !isSameAttempt(last, request)) {
      this.#latest.set(name, new CreateSeries(request))
      return
    }
    series.add(request)
    this.#latest.set(name, series)
    if (series.isCorrected || this.#clicks.includes(series)) return
    if (this.#clicks.length < maxFound) this.#clicks.push(series)
  }

  #create(request: ClientRequest, own: KnownRow | undefined): void {
    const { path, received: body } = request
    const row = createdIn(request)
    if (!row) return
    if (request.status === 201 && isObject(request.sent) && isObject(body)) {
      const known = this.#findShown(request, body) ?? own
      if (known && this.#found.length < maxFound) this.#report(known, request, row)
    }
    if (hasNoAnswer(request)) this.#unanswered.set(`${path} ${row.id}`, request)
  }

  /** Finds a row that the client created with the same body, and that nobody changed since. */
  #findCreated(request: ClientRequest): KnownRow | undefined {
    const { date_marker: time, name: title } = Object(request.sent)
    // Notes without a time can be as many as a user wants.
    if (!(time || title) || !createdIn(request)) return undefined
    const series = this.#latest.get(nameOfCreate(request))
    const last = series?.requests.at(-1)
    const row = last && createdIn(last)
    const isLeft = series?.left.some(({ id }) => id === row?.id)
    if (!last || !row || !isLeft || this.#changed.has(`${row.list} ${row.id}`)) return undefined
    return isOverlapping(last, request)
      ? undefined
      : { row: last.received as ListRow, request: last }
  }

  /** Finds a row like a new one that the client read last in the list. */
  #findShown({ client, path }: ClientRequest, created: Row): KnownRow | undefined {
    const list = `${client} ${path}`
    for (const { rows, request } of this.#shown.get(list)?.pages ?? []) {
      const row = rows.find((shown) => isLike(shown, created))
      if (row) return { row, request }
    }
    const request = this.#retrieved.get(list)
    const row = request?.received as ListRow | null | undefined
    return request && isObject(row) && isLike(row, created) ? { row, request } : undefined
  }

  #report({ row, request: read }: KnownRow, request: ClientRequest, created: JournalChange): void {
    const { client, path } = request
    const [sent, stored] = [request.sent as Row, request.received as Row]
    const isOwn = read.verb === 'create'
    const hasOtherTime = !isOwn && isOther(sent.date_marker, stored.date_marker)
    const hasOtherText = isOther(sent.content ?? sent.name, stored.content ?? stored.name)
    const same = 'date_marker' in row ? 'content and time' : 'name'
    const message = hasOtherTime
      ? `The client sent the time ${request.show('date_marker', sent.date_marker)}. Row ${row.id}, which it had read, has the same content and the same time: ${request.show('date_marker', stored.date_marker)}.`
      : `The client created a row with the same ${same} as row ${row.id}, which it had ${isOwn ? 'created' : 'read'}.`
    const cure = hasOtherTime ? timeCure : hasOtherText ? textCure : duplicateRow.cure
    const lost = this.#unanswered.get(`${path} ${row.id}`)
    // A user can want a copy of a row, and the client send its time in another form, such as that of a `Date`.
    const isNote = !lost || nameOfCreate(lost) !== nameOfCreate(request)
    const breach = {
      ...{ rule: duplicateRow, subject: `${client} ${path}`, message, cure },
      ...{ requests: [read, request], ...(isNote && { level: 'note' as const }) },
    }
    this.#found.push({ breach, rows: [{ ...created, id: row.id }, created] })
  }

  #correct(changes: readonly JournalChange[]): void {
    const isGone = deletionsIn(changes)
    if (!isGone) return
    this.#found = this.#found.filter(({ rows }) => !rows.some(isGone))
    for (const series of this.#latest.values()) series.forget(isGone)
    for (const series of this.#clicks) series.forget(isGone)
    this.#clicks = this.#clicks.filter(({ isCorrected }) => !isCorrected)
  }
}

const maxPages = 20
const maxFound = 1_000

function idempotencyKey({ record }: ClientRequest): string | null {
  return record.requestHeaders.get('idempotency-key')
}

/** Whether two equal creates must be one: they were sent at once, or name the same attempt. */
function isSameAttempt(a: ClientRequest, b: ClientRequest): boolean {
  const key = idempotencyKey(a)
  return isOverlapping(a, b) || (key !== null && key === idempotencyKey(b))
}

function describeClicks({ requests }: CreateSeries): Breach {
  const count = requests.length
  const [first, second] = requests as [ClientRequest, ClientRequest]
  if (!isOverlapping(first, second)) {
    const message = `The client sent the same create ${count === 2 ? 'twice' : `${count} times`} with one \`Idempotency-Key\`, and each created a row.`
    return { rule: duplicateRow, message, cure: keyCure, requests }
  }
  const often =
    count === 2
      ? 'twice, the second time before the first one'
      : `${count} times, each time before the last one`
  return {
    rule: duplicateRow,
    message: `The client sent the same create ${often} had its response.`,
    cure: clickCure,
    ...(count > 2 && { level: 'note' }),
    requests,
  }
}

/** Whether a text was stored in another form than it was sent. */
function isOther(sent: unknown, stored: unknown): boolean {
  return typeof sent === 'string' && sent !== stored
}

/** Whether a row of a list has the content and the time of a new annotation, or the name of a new plugin. */
function isLike(row: ListRow, created: Row): boolean {
  if (!('date_marker' in row)) return Boolean(created.name) && row.name === created.name
  const isSameTime = row.date_marker === created.date_marker
  return Boolean(created.content) && row.content === created.content && isSameTime
}
