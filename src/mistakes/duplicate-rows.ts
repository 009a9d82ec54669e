import { isObject } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { type ClientRequest, isOverlapping, type ListRow } from './client-request.ts'
import {
  CreateSeries,
  createdIn,
  hasError,
  hasNoAnswer,
  isCreate,
  nameOfCreate,
} from './creates.ts'
import { type Breach, type ClientRule, readInSource, seenInFramework, Watch } from './rule.ts'
import type { WrittenRow } from './written-row.ts'

export const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  title: 'The client repeated a create that was carried out',
  sentence:
    'A client repeated a create whose response was lost or broke off, or was a server error after the row was created, and did not look first whether the row exists. A look counts if its page can show the row, with any key: not a search for something else, and not a page before the one of the row. Nothing is reported if all of the rows but one are deleted again. The row that had a response counts once a list has shown all of them.',
  cure: 'List before you repeat a create, with a key that can read. The API has no idempotency keys. If your code has no retry, its HTTP client has one.',
  level: 'error',
  ...readInSource,
}

export const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  title: 'The client created the same row twice',
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

type Row = Readonly<Record<string, unknown>>

/** A row that a client read, and the request that showed it. */
interface KnownRow {
  readonly row: ListRow
  readonly request: ClientRequest
}

/** A row like another one, both of which must stay. */
interface Copy {
  readonly breach: Breach
  readonly rows: readonly Pick<WrittenRow, 'list' | 'id'>[]
}

/** Finds rows that are there twice, because a client sent a create again, or did not look before it. */
export class DuplicateRows extends Watch {
  /** By client, list and body: the latest creates */
  readonly #latest = new LatestMap<string, CreateSeries>()
  /** By client and list: the pages that it read last, from the first one on */
  readonly #pages = new LatestMap<string, readonly ClientRequest[]>()
  /** By client and list: the latest request for a single row */
  readonly #retrieved = new LatestMap<string, ClientRequest>()
  /** By list and id: the latest rows that were changed */
  readonly #changed = new LatestMap<string, true>()
  /** Those that are open or wrong */
  readonly #watched = new Set<CreateSeries>()
  #copies: Copy[] = []

  override breaches(): readonly Breach[] {
    const wrong = [...this.#watched].filter(({ isWrong }) => isWrong)
    const again = new Set(wrong.flatMap(({ creates }) => creates))
    return [
      ...wrong.map(describeSeries),
      ...this.#copies.flatMap(({ breach }) =>
        again.has(breach.requests.at(-1) as ClientRequest) ? [] : [breach],
      ),
    ]
  }

  see(request: ClientRequest): void {
    const { client, path, page, isUnread, changes } = request
    this.#correct(changes)
    for (const { isNew, list, id } of changes) {
      if (isNew) continue
      this.#changed.set(`${list} ${id}`, true)
      this.#pages.clear()
      this.#retrieved.clear()
    }
    if (request.verb === 'retrieve' && request.status === 200) {
      this.#retrieved.set(`${client} ${path.slice(0, path.lastIndexOf('/'))}`, request)
    }
    if (page || isUnread) this.#look(request)
    if (isCreate(request) && request.isSentKept) this.#create(request)
  }

  #look(request: ClientRequest): void {
    const { client, path, page } = request
    const list = `${client} ${path}`
    const before = page?.previous ? (this.#pages.get(list) ?? []) : []
    this.#pages.set(list, page ? [...before, request].slice(-maxPages) : [])
    for (const series of this.#watched) {
      series.look(request)
      this.#watch(series)
    }
  }

  #create(request: ClientRequest): void {
    const isAnswered = !hasNoAnswer(request)
    if (isAnswered && request.status >= 400) return
    const name = nameOfCreate(request)
    const known = this.#latest.get(name)
    const row = createdIn(request)
    if (row && request.status === 201) this.#compare(request, row, known)
    const isAgain = known && !known.isFull && (known.isOpen || isSameAttempt(known.last, request))
    const series = isAgain ? known : new CreateSeries(request)
    if (isAgain) series.add(request)
    this.#latest.set(name, series)
    this.#watch(series)
  }

  /** Compares a new row with what the client had read, or created with the same body. */
  #compare(request: ClientRequest, created: WrittenRow, known: CreateSeries | undefined): void {
    if (this.#copies.length >= maxFound) return
    const found = this.#findShown(request) ?? (known && this.#findCreated(request, known))
    if (!found || !isObject(request.sent) || !isObject(request.received)) return
    const { row, request: read } = found
    const isLost = (create: ClientRequest) =>
      hasNoAnswer(create) && createdIn(create)?.id === row.id
    // A user can want a copy of a row, and the client send its time in another form, such as that of a `Date`.
    const level = !known?.creates.some(isLost) && { level: 'note' as const }
    const subject = `${request.client} ${request.path}`
    const said = { ...describeCopy(request, found), ...level }
    const breach = { rule: duplicateRow, subject, ...said, requests: [read, request] }
    this.#copies.push({ breach, rows: [{ list: created.list, id: row.id }, created] })
  }

  /** Finds a row that the client created with the same body, and that has not changed since. */
  #findCreated(request: ClientRequest, { last }: CreateSeries): KnownRow | undefined {
    const { date_marker: time, name: title } = Object(request.sent)
    const row = createdIn(last)
    // Notes without a time can be as many as a user wants.
    if (!(time || title) || !row || hasNoAnswer(last) || isOverlapping(last, request))
      return undefined
    return this.#changed.has(`${row.list} ${row.id}`)
      ? undefined
      : { row: last.received as ListRow, request: last }
  }

  /** Finds a row like a new one that the client read last in the list. */
  #findShown(create: ClientRequest): KnownRow | undefined {
    const list = `${create.client} ${create.path}`
    const [pages = [], request] = [this.#pages.get(list), this.#retrieved.get(list)]
    // Most clients have read nothing: then the response need not be parsed.
    if (pages.length === 0 && !request) return undefined
    const created = Object(create.received) as Row
    for (const page of pages) {
      const row = page.page?.rows.find((shown) => isLike(shown, created))
      if (row) return { row, request: page }
    }
    const row = request?.received as ListRow | null | undefined
    return request && isObject(row) && isLike(row, created) ? { row, request } : undefined
  }

  #correct(changes: readonly WrittenRow[]): void {
    const deletions = changes.filter(({ isDeleted }) => isDeleted)
    if (deletions.length === 0) return
    const isGone = (row: Copy['rows'][number]) =>
      deletions.some(({ list, id }) => row.list === list && row.id === id)
    this.#copies = this.#copies.filter(({ rows }) => !rows.some(isGone))
    for (const series of [...this.#latest.values(), ...this.#watched]) {
      series.forget(isGone)
      if (this.#watched.has(series)) this.#watch(series)
    }
  }

  /** Watches a series as long as it is open or wrong. */
  #watch(series: CreateSeries): void {
    if (!series.isOpen && !series.isWrong) this.#watched.delete(series)
    else if (this.#watched.size < maxFound) this.#watched.add(series)
  }
}

const maxPages = 20
const maxFound = 1_000

function idempotencyKey({ record }: ClientRequest): string | null {
  return record.requestHeaders.get('idempotency-key')
}

/** Whether two equal creates must be one: they were sent at once, or name the same attempt. */
function isSameAttempt(a: ClientRequest, b: ClientRequest): boolean {
  const { content, name } = Object(b.sent)
  const key = idempotencyKey(b)
  if (![a, b].every((create) => createdIn(create) && !hasNoAnswer(create))) return false
  const isNamed = content || name || key
  return isNamed && (isOverlapping(a, b) || (key !== null && key === idempotencyKey(a)))
}

function describeSeries(series: CreateSeries): Breach {
  return hasNoAnswer(series.creates[0] as ClientRequest)
    ? describeRepetition(series)
    : describeClicks(series)
}

function describeRepetition(series: CreateSeries): Breach {
  const { creates, requests } = series
  const [first, second] = creates as [ClientRequest, ClientRequest]
  const got = hasError(first) ? `a ${first.status}` : 'no complete response'
  const hasLooked = requests.length > creates.length
  const look = hasLooked ? ' What it read in between could not show the row.' : ''
  const message = `The client got ${got} for a create, and sent it again.${look} ${countRows(series)}`
  const subject = `${first.client} ${first.path} ${message}`
  return { rule: repeatedCreate, subject, message, cure: cureOf(first, second), requests }
}

function countRows({ creates: { length }, created, left }: CreateSeries): string {
  const creates = `The ${length} requests created`
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

function describeClicks({ creates: requests }: CreateSeries): Breach {
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

function describeCopy(request: ClientRequest, { row, request: read }: KnownRow) {
  const [sent, stored] = [request.sent as Row, request.received as Row]
  const isOwn = isCreate(read)
  if (!isOwn && isOther(sent.date_marker, stored.date_marker)) {
    const [time, storedTime] = [sent, stored].map(({ date_marker }) =>
      request.show('date_marker', date_marker),
    )
    const message = `The client sent the time ${time}. Row ${row.id}, which it had read, has the same content and the same time: ${storedTime}.`
    return { message, cure: timeCure }
  }
  const same = 'date_marker' in row ? 'content and time' : 'name'
  const message = `The client created a row with the same ${same} as row ${row.id}, which it had ${isOwn ? 'created' : 'read'}.`
  const hasOtherText = isOther(sent.content ?? sent.name, stored.content ?? stored.name)
  return { message, cure: hasOtherText ? textCure : duplicateRow.cure }
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
