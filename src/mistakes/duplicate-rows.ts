import { LatestMap } from '../utils/latest-map.ts'
import { matchesTerms } from '../world/search.ts'
import { type ClientRequest, isOverlapping, type WrittenRow } from './client-request.ts'
import { hasFailed } from './read-lists.ts'
import {
  type Breach,
  type ClientRule,
  readInSource,
  seenInFramework,
  Watch,
  type WatchedRules,
} from './rule.ts'
import type { ListPage, SeenRow } from './seen-request.ts'
import { nameOfFields, type StoredFields } from './stored-fields.ts'

const repeatedCreate: ClientRule = {
  id: 'repeated-create',
  title: 'The client repeated a create that was carried out',
  sentence:
    'A create got no complete response, or a 5xx after it, and was sent again with no look that might show the row, or after one that did. It is a note for other rows if a create or a next page failed.',
  cure: 'List before you repeat a create, with a key that can read. The API has no idempotency keys. If your code has no retry, its HTTP client has one.',
  level: 'error',
  ...readInSource,
}

const duplicateRow: ClientRule = {
  id: 'duplicate-row',
  title: 'The client created the same row twice',
  sentence:
    'A client sent two creates of a row: with a text or time, before the response to the first, or both with one `Idempotency-Key`. It is a note for three, or if a row with a time was soon created again.',
  cure: 'Send a create once: disable its button until the response has arrived and the list is read again.',
  level: 'error',
  ...seenInFramework,
}

/** What tells a row from others, the first of them first. Other fields are the same in many rows. */
export const namingFields = ['content', 'name', 'url', 'date_marker']

/** In milliseconds. A user needs longer to decide to create a row again. */
const soonMs = 500

/** Finds rows that are there twice, because a client sent a create again. */
class DuplicateRows extends Watch {
  /** By client, list and row: the latest creates that a later one may repeat */
  readonly #latest = new LatestMap<string, CreateSeries>()
  /** The latest other ones. Only a create that was sent before their response can be the same */
  readonly #recent = new LatestMap<string, ClientRequest>(200)
  readonly #pages = new LatestMap<string, ClientRequest>(100)
  /** By client and path: a list, or a create that failed, if the next ones were of rows that are there */
  readonly #failed = new LatestMap<string, ClientRequest>(100)
  /** By client: the latest create of a row that was there */
  readonly #again = new LatestMap<string, ClientRequest>(100)
  /** By list and id: whether a row that was changed is deleted now */
  readonly #changed = new LatestMap<string, boolean>()
  /** Those that are open, or of more creates than one */
  readonly #watched = new Set<CreateSeries>()

  override breaches(): readonly Breach[] {
    const wrong = [...this.#watched].filter((series) => this.#isWrong(series))
    return [...wrong.map(describe), ...super.breaches()]
  }

  see(request: ClientRequest): void {
    const { page, isUnread, changes, verb } = request
    for (const { isNew, isDeleted, list, id } of changes)
      if (!isNew) this.#changed.set(`${list} ${id}`, isDeleted)
    for (const series of page || isUnread ? this.#watched : []) {
      series.look(request)
      this.#watch(series)
    }
    if (verb !== 'list' && verb !== 'create') return
    const place = `${request.client} ${request.path}`
    const failed = this.#failed.get(place)
    if (page) this.#pages.set(place, request)
    if (page && failed?.verb === 'list') this.#failed.delete(place)
    if (!failed && verb === 'list' && hasFailed(request)) this.#failed.set(place, request)
    if (verb === 'create' && request.isSentKept) this.#create(request, place)
  }

  #create(request: ClientRequest, place: string) {
    const failed = this.#failed.get(place)
    if (!failed && !request.created && hasFailed(request)) this.#failed.set(place, request)
    if (!hasNoAnswer(request) && request.status >= 400) return
    const names = namesOfCreate(request)
    const [name] = names
    const recent = this.#recent.get(name)
    const former = failed?.verb === 'list' ? this.#pages.get(place) : recent
    const isOlder = failed && former && this.#findAgain(former, failed, request)
    if (!isOlder && request.created) this.#failed.delete(place)
    const creation = names.map((own) => this.#latest.get(own)).find(Boolean)
    const last = creation?.last ?? recent
    // A row that was changed since is another one.
    const isOpen = creation?.isOpen && !creation.rows.some((row) => this.#changed.has(keyOf(row)))
    const isAgain = last && (isOpen || isSameAttempt(last, request))
    if (!isAgain && !hasNoAnswer(request)) {
      if (!isOlder && recent?.created && request.created) this.#checkAgain(recent, request)
      for (const former of names) this.#latest.delete(former)
      this.#recent.set(name, request)
      return
    }
    const series = creation && isAgain ? creation : new CreateSeries(isAgain ? last : request)
    if (isAgain) series.add(request)
    for (const own of names) this.#latest.set(own, series)
    this.#watch(series)
  }

  /** Finds a row that is created again that was there before a create or a list failed. */
  #findAgain(former: ClientRequest, failed: ClientRequest, request: ClientRequest) {
    const values = request.created?.values
    const isSame = (row: SeenRow) => namingFields.every((name) => row[name] === values?.[name])
    const row = former.page?.rows.find(isSame) ?? former.created
    if (!row || !values || this.#changed.has(`${request.list} ${row.id}`)) return false
    const isOther = namesOfCreate(failed)[0] !== namesOfCreate(request)[0]
    if (former.record.id > failed.record.id || !isOther) return false
    const message = `A ${failed.verb} failed, and the client then created an earlier row again.`
    const cure = 'Go on with what failed, or leave out rows that the list has.'
    const about = { subject: request.client, message, cure, requests: [former, failed, request] }
    this.report({ rule: repeatedCreate, level: 'note', ...about })
    return true
  }

  /** Finds a row that is created again at once though the client had the response, or with the next rows of a list. */
  #checkAgain(former: ClientRequest, request: ClientRequest) {
    const { client, record } = request
    const { before } = this.history
    const isLast = before === former && record.isTimed && record.at - former.until < soonMs
    const isNext = this.#again.get(client) === (before ?? null)
    const isOther = this.#changed.has(keyOf(former.created as WrittenRow))
    if (isOther || typeof fieldsOfCreate(request).date_marker !== 'string') return
    this.#again.set(client, request)
    if (!isLast && !isNext) return
    const message = 'The client created the same row again, after the response to the first create.'
    const about = { subject: client, message, requests: [former, request] }
    this.report({ rule: duplicateRow, level: 'note', ...about })
  }

  /** Whether more rows are left than one, or may be: the others were not deleted again. */
  #isWrong({ creates, rows }: CreateSeries) {
    const left = rows.filter((row) => !this.#changed.get(keyOf(row)))
    return creates.length > 1 && (rows.length < 2 || left.length > 1)
  }

  #watch(series: CreateSeries) {
    if (!series.isOpen && series.creates.length === 1) this.#watched.delete(series)
    else this.#watched.add(series)
  }
}

export const duplicateRowRules: WatchedRules = {
  Watch: DuplicateRows,
  rules: [repeatedCreate, duplicateRow],
}

function keyOf({ list, id }: WrittenRow) {
  return `${list} ${id}`
}

/** Whether two equal creates must be one: a text or time that was sent at once, or both with one `Idempotency-Key`. */
function isSameAttempt(a: ClientRequest, b: ClientRequest) {
  if (!a.created || !b.created || hasNoAnswer(a) || hasNoAnswer(b)) return false
  const { content, name, date_marker: time } = fieldsOfCreate(b)
  if ((content || name || time) && isOverlapping(a, b)) return true
  const key = b.record.requestHeaders.get('idempotency-key')
  return Boolean(key) && key === a.record.requestHeaders.get('idempotency-key')
}

function describe(series: CreateSeries): Breach {
  const { creates, requests, rows } = series
  const isRepeated = hasNoAnswer(creates[0] as ClientRequest)
  return { ...(isRepeated ? describeRepetition(series) : describeClicks(series)), requests, rows }
}

function describeRepetition({ creates, requests, rows, isRead }: CreateSeries) {
  const [first] = creates as [ClientRequest]
  const got = hasError(first) ? `a ${first.status}` : 'no complete response'
  const blind =
    requests.length > creates.length ? ' What it read in between could not show the row.' : ''
  const look = isRead ? ' It had read the row in between.' : blind
  const count = ['no row', 'one row'][rows.length] ?? `${rows.length} rows`
  const message = `The client got ${got} for a create, and sent it again.${look} The ${creates.length} requests created ${count}.`
  const subject = `${first.client} ${first.path} ${message}`
  const cure = isRead && { cure: 'Do not create a row again that the list shows.' }
  return { rule: repeatedCreate, subject, message, ...cure }
}

function describeClicks({ creates }: CreateSeries) {
  const [first, second] = creates as [ClientRequest, ClientRequest]
  const how = isOverlapping(first, second)
    ? 'and did not wait for a response'
    : 'all with one `Idempotency-Key`'
  const message = `The client sent the same create ${creates.length} times, ${how}.`
  const level = creates.length > 2 && { level: 'note' as const }
  return { rule: duplicateRow, message, ...level }
}

/** Whether the client may not know that a row was created: it can give up within a body that comes slowly, too. */
function hasNoAnswer(request: ClientRequest) {
  const isCut = request.faultEffect.cut_bytes !== undefined
  return request.isLost || isCut || hasError(request)
}

/** Whether a complete response denies a row that was created. */
function hasError(request: ClientRequest) {
  return !request.isLost && request.status >= 500 && request.created !== undefined
}

/** How far the time in a create may be from that of its request, in milliseconds, if it means the same. */
const nowTolerance = 5_000

/**
 * The client, the list and the row that a create wrote, or means. If it has the time of the request, also a name in which the
 * time does not count: a client that builds the body for each attempt sends another one.
 */
function namesOfCreate(create: ClientRequest): [string, ...string[]] {
  const { client, list = '', record } = create
  const fields = fieldsOfCreate(create)
  // A path can say `@current`.
  const { project, organization } = Object(create.created?.values)
  const place = `${client} ${list} ${project ?? organization ?? create.parent}`
  const nameOf = (named: StoredFields) => `${place} ${nameOfFields(list, named)}`
  const { date_marker: time } = fields
  const isNow = Math.abs(Date.parse(String(time)) - record.at) <= nowTolerance
  return isNow ? [nameOf(fields), nameOf({ ...fields, date_marker: 'now' })] : [nameOf(fields)]
}

/** What a create wrote, or else what its body says. */
export function fieldsOfCreate(create: ClientRequest): StoredFields {
  return create.created?.values ?? create.fields
}

/** Creates of one client for equal rows, one of which was sent although another one could have created the row. */
class CreateSeries {
  readonly creates: ClientRequest[] = []
  /** The creates, and the looks between them that could not show the row, or did */
  readonly requests: ClientRequest[] = []
  /** The rows that they created */
  readonly rows: WrittenRow[] = []
  /** Whether the client does not know whether the latest one created a row, or sends it again although it could know */
  isOpen = false
  /** Whether it had read a row before it sent the create again */
  isRead = false
  #looks: ClientRequest[] = []

  constructor(first: ClientRequest) {
    this.add(first)
  }

  get last(): ClientRequest {
    return this.creates.at(-1) as ClientRequest
  }

  add(request: ClientRequest): void {
    this.creates.push(request)
    this.requests.push(...this.#looks, request)
    this.#looks = []
    const row = request.created
    // A row that was deleted from the start is in no list.
    this.isOpen = hasNoAnswer(request) && !row?.isDeleted
    if (row) this.rows.push(row)
  }

  /** @param look a request for a page, which the journal may not have kept */
  look(look: ClientRequest): void {
    const { page, parent } = look
    // `@current` can be any project or organization.
    const isSame = [parent, '@current'].includes(this.last.parent) || parent === '@current'
    if (!this.isOpen || !isSame || look.list !== this.last.list) return
    const hasRow = page?.rows.some(({ id }) => this.rows.some((row) => row.id === id)) ?? false
    this.isRead ||= hasRow
    if (!hasRow && (!page || canShow(look, page, this.last))) this.isOpen = false
    else this.#looks.push(look)
  }
}

/** Whether a page should show the row of a create if there is one. */
function canShow(look: ClientRequest, page: ListPage, create: ClientRequest) {
  const { content, name, date_marker: time } = fieldsOfCreate(create)
  if (!matchesTerms(String(content ?? name ?? ''), look.terms)) return false
  const last = page.rows.at(-1)
  if (page.next === null || !last) return last !== undefined || page.previous === null
  // Plugins are in the order of their ids, annotations from the newest time, after those without one.
  if (!('date_marker' in last)) return false
  return typeof time !== 'string' || Date.parse(time) >= Date.parse(String(last.date_marker))
}
