import { isSuccess } from '../http/messages.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { shortList } from '../utils/text.ts'
import type { ClientRequest, WrittenRow } from './client-request.ts'
import { fieldsOfCreate, namingFields } from './duplicate-rows.ts'
import {
  type Breach,
  type ClientRule,
  type History,
  inDocument,
  readInSource,
  Watch,
  type WatchedRules,
} from './rule.ts'
import { nameOfFields } from './stored-fields.ts'

const handling = 'Look at the status of each response.'
const correction = 'Correct the request, and send it again.'
const removal = 'Read the list again, and use only rows that it shows.'
const ofStatus: { readonly [status: number]: string } = {
  401: 'Use a key that works, in the header `Authorization: Bearer …`.',
  403: 'Use a key that may do this, or do not offer it.',
}

const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  title: 'The client did not delete an annotation',
  sentence:
    'DELETE of an annotation was refused as with any key, and the client neither set `deleted` to true nor retrieved it by its id. It is a note if nothing that the client sent succeeded.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...inDocument('hard deletion is not allowed; the caller is told to use PATCH'),
}

export const unhandledRefusal: ClientRule = {
  id: 'unhandled-refusal',
  title: 'The client did not make a refused request good',
  sentence:
    'A refused write was not made good, or a read with a wrong path or form of `Authorization`, or of `next` without it. After a fault: if the client wrote others, had deleted the row, or did not get it.',
  cure: `${handling} ${correction} ${wantRefusal(400)}`,
  level: 'note',
  ...readInSource,
}

/** Finds requests that were refused and never made good. */
class Refusals extends Watch {
  /** By what makes it good, then by client, path and reason: the latest refused one */
  readonly #refused = new LatestMap<string, Map<string, ClientRequest>>()
  /** The latest create of all clients, if it was refused */
  #create: ClientRequest | undefined
  /** By the id of the annotation: the latest refused deletion */
  readonly #deletions = new LatestMap<number, ClientRequest>()
  /** By client, and list or path: the id of the latest entry that wrote rows, or most of the row */
  readonly #written = new LatestMap<string, number>()

  see(request: ClientRequest): void {
    const { client, status, verb, record } = request
    if (this.#deletions.size > 0) this.#look(request)
    if (isRefusedDelete(request)) {
      if (request.row) this.#deletions.set(request.row.id, request)
    } else if (isRefusal(request, this.history)) {
      const [goal = ''] = goalsOf(request, request.reason)
      const group = this.#refused.get(goal) ?? new LatestMap<string, ClientRequest>(100)
      this.#refused.set(goal, group.set(`${client} ${request.path} ${wayOf(request)}`, request))
      if (verb === 'create') this.#create = request
      if (isMove(request, this.history.before)) this.#written.set(listOf(request), record.id + 1)
    } else if (this.#refused.size > 0 && isSuccess(status)) {
      this.#settle(request)
      if (request.isWrite) this.#written.set(listOf(request), record.id)
      const isForm = verb === 'update' && Object.keys(request.fields).length > 3
      if (isForm) this.#written.set(`${client} ${request.path}`, record.id)
      if (verb === 'create') this.#create = undefined
    }
  }

  /** Forgets what a request makes good. */
  #settle(request: ClientRequest) {
    const next = this.#create && isCorrected(this.#create, request) ? this.#create : undefined
    const goals = goalsOf(request)
    if (next) goals.push(...goalsOf(next, next.reason).slice(0, 1))
    for (const group of goals.flatMap((goal) => this.#refused.get(goal) ?? []))
      for (const [name, refused] of group) {
        if (refused !== next && !isMadeGood(refused, request)) continue
        group.delete(name)
        // A create that was corrected, and refused once more, stands for the one before.
        if (refused.verb === 'create') this.#settle(refused)
      }
  }

  /** Forgets deletions whose client knows that the row is there, or of which a row is gone. */
  #look(request: ClientRequest) {
    const { row, changes } = request
    if (row && isAwareOf(request)) this.#deletions.delete(row.id)
    for (const { list, id, isDeleted } of changes)
      if (list === 'annotations' && isDeleted) this.#deletions.delete(Number(id))
  }

  override breaches(): readonly Breach[] {
    const deletions = [...this.#deletions.values()]
    const bad = [...this.#refused.values()].flatMap((group) => [...group.values()])
    // The client wrote others after that: of creates that are sent at once, also the last one can be refused.
    const isLeft = (request: ClientRequest) =>
      !request.isServed && Number(this.#written.get(listOf(request))) > request.record.id
    const left = new Set(bad.filter(isLeft).map(listOf))
    const refused = bad.filter((request) => request.isServed || left.has(listOf(request)))
    const all = [...deletions, ...refused]
    return [...new Set(all.map(({ client }) => client))].flatMap((client) => {
      const isOwn = (request: ClientRequest) => request.client === client
      const hasSucceeded = this.history.hasSucceeded(client)
      // A client that is refused in several ways, and never succeeds, tries out what is refused.
      const ways = new Set(all.filter(isOwn).map(causeOf)).size
      const isWanted = !hasSucceeded && (this.history.isTest || ways > 1)
      const own = deletions.filter(isOwn)
      return [
        ...(own.length > 0 ? [describeDeletes(own, hasSucceeded)] : []),
        ...(isWanted ? [] : refused.filter(isOwn).map(describe)),
      ]
    })
  }
}

export const refusalRules: WatchedRules = {
  Watch: Refusals,
  rules: [swallowedDelete, unhandledRefusal],
}

function listOf({ client, list, path, verb }: ClientRequest) {
  return `${client} ${verb === 'retrieve' ? path : list}`
}

function wantRefusal(status: number) {
  return `If the refusal is wanted, verify it: { status: ${status} } in journal.verify, toHaveReceived or POST /__admin/verify.`
}

/** What a client does wrong: a wrong form of its key, or a wrong path, refuses each operation. */
function causeOf(request: ClientRequest) {
  if (isPathUnknown(request)) return 'a path'
  if (isRowMissing(request)) return `a row of ${request.list}`
  return isKeyUnread(request) ? request.reason : wayOf(request)
}

function wayOf({ record: { method, operation }, reason }: ClientRequest) {
  return `${operation ?? method} ${reason}`
}

/** What a request makes good: a row by each field that was not refused, a list, and its path. */
function goalsOf(request: ClientRequest, reason = '') {
  const { verb, list = '', path, isSentKept } = request
  if (verb !== 'create') return [path]
  const fields = isSentKept ? fieldsOfCreate(request) : {}
  const isKept = (field: string) =>
    (fields[field] ?? null) !== null && !reason.includes(`body.${field}:`)
  const names = namingFields.filter(isKept).map((field) => `${list} ${field} ${fields[field]}`)
  return [...names, list, path]
}

/** Whether a request with a goal of a refused one is of the same client, or the same one with another key. */
function isMadeGood(refused: ClientRequest, request: ClientRequest) {
  const { client, path, status, isWrite, isSentKept, record } = refused
  // A client can be allowed to write to another project.
  const isOwn = client === request.client
  const isThere = path === request.path || (isOwn && status === 403)
  if (isWrite !== request.isWrite || !isThere) return false
  if (isOwn) return true
  const [body, other] = [refused, request].map((sent) =>
    nameOfFields(sent.list ?? '', fieldsOfCreate(sent)),
  )
  return record.method === request.record.method && (!isSentKept || body === other)
}

/** Whether a create has a longer or shorter text than the refused one before it, by its client or with a new key. */
function isCorrected(refused: ClientRequest, request: ClientRequest) {
  const { client, path, status } = refused
  const isOwn = client === request.client || status === 401
  if (request.verb !== 'create' || path !== request.path || !isOwn) return false
  const texts = [refused, request].map((create) => String(fieldsOfCreate(create).content ?? ''))
  const [short, long] = texts.sort((a, b) => a.length - b.length) as [string, string]
  return short !== '' && long.startsWith(short)
}

/** Whether a client creates what it has just deleted. */
function isMove({ verb, fields }: ClientRequest, before: ClientRequest | undefined) {
  const { content = '' } = fields
  const isSame = ({ isDeleted, values }: WrittenRow) => isDeleted && values?.content === content
  return verb === 'create' && before?.changes.some(isSame) === true
}

function isRefusal(request: ClientRequest, history: History) {
  const { status, record, isServed, isWrite, isLost } = request
  if (status < 400 && !isLost) return false
  // A fault can answer in place of a write that was carried out.
  const isReadFailed = request.verb === 'retrieve' && status >= 429
  if (!isServed) return isReadFailed || (isWrite && record.changes.length === 0)
  if (status >= 500 && !isWrite) return false
  if (!isWrite) return isPathUnknown(request) || isKeyUnread(request, history)
  const isDelete = record.method === 'DELETE' || request.sent.deleted === true
  const isGone = status === 404 || record.failure?.details.isRowMissing === true
  // A body that the journal did not keep can be a deletion.
  return !(isGone && (isDelete || !request.isSentKept))
}

function isPathUnknown({ record, status, path }: ClientRequest) {
  return record.operation === null && status === 404 && path.startsWith('/api/')
}

function isRowMissing({ row, status, reason }: ClientRequest) {
  return row !== null && status === 404 && reason.includes(`no ${row.title}`)
}

/** Whether the API found no key where one was sent, or in a request for the next page. A check of strangers sends none, or a wrong one. */
function isKeyUnread(request: ClientRequest, history?: History) {
  if (request.status !== 401 || Object(request.received).code !== 'not_authenticated') return false
  const isSent = Boolean(request.record.requestHeaders.get('authorization'))
  return isSent || history?.isFollowed(request) === true
}

function isRefusedDelete({ record, status }: ClientRequest) {
  const { operation, failure, settingReads } = record
  if (operation !== 'deleteAnnotation' || status < 400 || failure?.details.isRowMissing)
    return false
  return status === 405 || settingReads.ids.includes('annotations.delete.status')
}

/** A refused PATCH, or a look at the row, shows that the client does not take it for deleted. */
function isAwareOf({ sent, list, verb, isUpdate, status }: ClientRequest) {
  if (list !== 'annotations') return false
  return isUpdate ? sent.deleted === true : verb === 'retrieve' && status === 200
}

function describeDeletes(requests: readonly ClientRequest[], hasSucceeded: boolean): Breach {
  const ids = requests.map(({ row }) => String(row?.id))
  const [rule, times] = [swallowedDelete, ids.length]
  const [rows, them] =
    times === 1
      ? [`Annotation ${ids[0]} was`, 'it']
      : [`Annotations ${shortList(ids, 10).join(', ')} were`, 'them']
  const message = `${rows} not deleted, and the client has not deleted ${them} with PATCH so far.`
  const [{ client: subject, status }] = requests as [ClientRequest]
  const cure = `${rule.cure} ${wantRefusal(status)}`
  return { rule, subject, message, times, requests, ...(!hasSucceeded && { level: 'note', cure }) }
}

function describe(request: ClientRequest): Breach {
  const { record, status, reason, path, isWrite, isServed } = request
  const name = record.operation ?? record.method
  const subject = `${record.operation ?? `${record.method} ${path}`} ${status}`
  const response = status === 0 ? 'no response' : `a ${status} from a fault`
  const got = isServed && status > 0 ? reason.replace(/\.$/, '') : response
  const wrote = isWrite || isServed ? '' : ' The client then wrote the row.'
  const isFailure = status === 0 || status >= 500
  const what = isFailure ? 'failed, and was' : 'was refused, and'
  const message = `${name} ${what} not made good so far. It got ${got}.${wrote}`
  const look = 'Look whether it was carried out, and send it again if not.'
  const wait = `${handling} Wait, and send the request again.`
  const remedy = isRowMissing(request) ? removal : (ofStatus[status] ?? correction)
  const change = `${handling} ${remedy} ${wantRefusal(status)}`
  const cure = isFailure && isWrite ? look : isFailure || status === 429 ? wait : change
  return { rule: unhandledRefusal, subject, message, cure, requests: [request] }
}
