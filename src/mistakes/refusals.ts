import { isSuccess } from '../http/messages.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { shortList } from '../utils/text.ts'
import type { ClientRequest } from './client-request.ts'
import { fieldsOfCreate } from './duplicate-rows.ts'
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
const ofStatus: { readonly [status: number]: string } = {
  401: 'Send it again with a key that works, in the header `Authorization: Bearer …`.',
  403: 'Use a key that may do this, or do not offer it.',
}

const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  title: 'The client did not delete an annotation',
  sentence:
    'DELETE of an annotation was refused, and the client neither sent a PATCH with `deleted: true` nor retrieved it by its id. It is a note if nothing that the client sent succeeded.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...inDocument('hard deletion is not allowed; the caller is told to use PATCH'),
}

export const unhandledRefusal: ClientRule = {
  id: 'unhandled-refusal',
  title: 'The client did not make a refused request good',
  sentence:
    'A refused write was not made good, or a read with a wrong path or form of `Authorization`, or of `next` without it. After a fault: if the client wrote others, or most of a row that it did not get.',
  cure: `${handling} ${correction} ${wantRefusal(400)}`,
  level: 'note',
  ...readInSource,
}

/** Finds requests that were refused and never made good. */
class Refusals extends Watch {
  /** By client, path, reason and row: the latest refused one */
  readonly #refused = new LatestMap<string, ClientRequest>()
  /** By the id of the annotation: the latest refused deletion */
  readonly #deletions = new LatestMap<number, ClientRequest>()
  /** By what is made good: the id of the latest entry that did. Only of paths that were refused, which are there, too */
  readonly #madeGood = new LatestMap<string, number>(10_000)
  /** By client, and list or path: the id of the latest entry that wrote rows, or most of the row */
  readonly #written = new LatestMap<string, number>()

  see(request: ClientRequest): void {
    const { client, status } = request
    if (this.#deletions.size > 0) this.#look(request)
    if (isRefusedDelete(request)) {
      if (request.row) this.#deletions.set(request.row.id, request)
    } else if (isRefusal(request, this.history)) {
      const { path } = request
      this.#refused.set(`${client} ${path} ${wayOf(request)} ${namesOf(request)[0]}`, request)
      if (!this.#madeGood.has(path)) this.#madeGood.set(path, 0)
    } else if (this.#refused.size > 0 && isSuccess(status)) {
      const { id } = request.record
      if (request.isWrite) this.#written.set(listOf(request), id)
      const isForm = request.verb === 'update' && Object.keys(request.fields).length > 3
      if (isForm) this.#written.set(`${client} ${request.path}`, id)
      if (this.#madeGood.has(request.path))
        for (const name of goalsOf(request)) this.#madeGood.set(name, id)
    }
  }

  /** Forgets deletions whose client knows that the row is there, or of which a row is gone. */
  #look(request: ClientRequest): void {
    const { row, changes } = request
    if (row && isAwareOf(request)) this.#deletions.delete(row.id)
    for (const { list, id, isDeleted } of changes)
      if (list === 'annotations' && isDeleted) this.#deletions.delete(Number(id))
  }

  override breaches(): readonly Breach[] {
    const deletions = [...this.#deletions.values()]
    const bad = [...this.#refused.values()].filter((request) => !this.#isGood(request))
    // The client wrote others after that: of creates that are sent at once, also the last one can be refused.
    const isLeft = (request: ClientRequest) =>
      !request.isServed && Number(this.#written.get(listOf(request))) > request.record.id
    const left = new Set(bad.filter(isLeft).map(listOf))
    const refused = bad.filter((request) => request.isServed || left.has(listOf(request)))
    const all = [...deletions, ...refused]
    return [...new Set(all.map(({ client }) => client))].flatMap((client) => {
      const isOwn = (request: ClientRequest): boolean => request.client === client
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

  #isGood(request: ClientRequest): boolean {
    const { id } = request.record
    return goalsOf(request, 1).some((name) => Number(this.#madeGood.get(name)) > id)
  }
}

export const refusalRules: WatchedRules = {
  Watch: Refusals,
  rules: [swallowedDelete, unhandledRefusal],
}

function listOf({ client, list, path, verb }: ClientRequest): string {
  return `${client} ${verb === 'retrieve' ? path : list}`
}

/** How many annotations a message names. */
const maxIds = 10

function wantRefusal(status: number): string {
  return `A test that wants the refusal says so with { status: ${status} }, by toHaveReceived or POST /__admin/verify.`
}

/** What a client does wrong: a wrong form of its key, or a wrong path, refuses each operation. */
function causeOf(request: ClientRequest): string {
  if (isPathUnknown(request)) return 'a path'
  return isKeyUnread(request) ? request.reason : wayOf(request)
}

function wayOf({ record: { method, operation }, reason }: ClientRequest): string {
  return `${operation ?? method} ${reason}`
}

/** What tells the row of a create from others, the first of them first. Other fields are the same in many rows. */
const namingFields = ['content', 'name', 'url', 'date_marker']

/** Names the row that a create means, by each field that the refusal is not about. Empty for another request */
function namesOf(request: ClientRequest): string[] {
  if (request.verb !== 'create' || !request.isSentKept) return ['']
  const [fields, { reason }] = [fieldsOfCreate(request), request]
  const isNaming = (field: string) =>
    (fields[field] ?? null) !== null && !reason.includes(`body.${field}:`)
  return [...namingFields.filter(isNaming).map((field) => `${field} ${fields[field]}`), '']
}

/** What a request reaches, or means to: by the client and the row, or by what it sends, with any key. @param count of each */
function goalsOf(request: ClientRequest, count?: number): string[] {
  const { client, path, isWrite, isSentKept, record } = request
  const body =
    request.verb === 'create'
      ? nameOfFields(request.list ?? '', fieldsOfCreate(request))
      : JSON.stringify(request.fields)
  const [names, bodies] = [namesOf(request), isSentKept ? [body, ''] : ['']]
  return [
    ...names.slice(0, count).map((name) => `${client} ${isWrite} ${path} ${name}`),
    ...bodies.slice(0, count).map((text) => `${record.method} ${path} ${text}`),
  ]
}

function isRefusal(request: ClientRequest, history: History): boolean {
  const { status, record, isServed, isWrite, isLost } = request
  if (status < 400 && !isLost) return false
  // A fault can answer in place of a write that was carried out.
  const isReadFailed = request.verb === 'retrieve' && status >= 429
  if (!isServed) return isReadFailed || (isWrite && record.changes.length === 0)
  if (status >= 500 && !isWrite) return false
  if (!isWrite) return isPathUnknown(request) || isKeyUnread(request, history)
  const isDelete = record.method === 'DELETE' || Object(request.sent).deleted === true
  const isGone = status === 404 || record.failure?.details.isRowMissing === true
  // A body that the journal did not keep can be a deletion.
  return !(isGone && (isDelete || !request.isSentKept))
}

function isPathUnknown({ record, status, path }: ClientRequest): boolean {
  return record.operation === null && status === 404 && path.startsWith('/api/')
}

/** Whether the API found no key where one was sent, or in a request for the next page. A check of strangers sends none, or a wrong one. */
function isKeyUnread(request: ClientRequest, history?: History): boolean {
  if (request.status !== 401 || Object(request.received).code !== 'not_authenticated') return false
  const isSent = Boolean(request.record.requestHeaders.get('authorization'))
  return isSent || history?.isFollowed(request) === true
}

function isRefusedDelete({ record, status }: ClientRequest): boolean {
  const { operation, failure, settingReads } = record
  if (operation !== 'deleteAnnotation' || status < 400 || failure?.details.isRowMissing)
    return false
  return status === 405 || settingReads.ids.includes('annotations.delete.status')
}

/** A refused PATCH, or a look at the row, shows that the client does not take it for deleted. */
function isAwareOf({ sent, list, verb, isUpdate, status }: ClientRequest): boolean {
  if (list !== 'annotations') return false
  return isUpdate ? Object(sent).deleted === true : verb === 'retrieve' && status === 200
}

function describeDeletes(requests: readonly ClientRequest[], hasSucceeded: boolean): Breach {
  const ids = [...new Set(requests.map(({ row }) => String(row?.id)))]
  const [rule, times] = [swallowedDelete, ids.length]
  const message =
    times === 1
      ? `Annotation ${ids[0]} was not deleted, and the client has not deleted it with PATCH so far.`
      : `Annotations ${shortList(ids, maxIds).join(', ')} were not deleted, and the client has not deleted them with PATCH so far.`
  const [{ client: subject, status }] = requests as [ClientRequest]
  const cure = `${rule.cure} ${wantRefusal(status)}`
  return { rule, subject, message, times, requests, ...(!hasSucceeded && { level: 'note', cure }) }
}

function describe(request: ClientRequest): Breach {
  const { record, status, reason, path } = request
  const name = record.operation ?? record.method
  const subject = `${record.operation ?? `${record.method} ${path}`} ${status}`
  const about = { rule: unhandledRefusal, subject, requests: [request] }
  if (status === 0) {
    const message = `${name} got no response, and was not made good so far.`
    return { ...about, message, cure: 'Look whether it was carried out, and send it again if not.' }
  }
  const got = record.fault ? `a ${status} from a fault` : reason.replace(/\.$/, '')
  const wrote = request.verb === 'retrieve' ? ' The client then wrote the row.' : ''
  const message = `${name} was refused, and not made good so far. It got ${got}.${wrote}`
  const isPutOff = status === 429 || status >= 500
  const next = isPutOff
    ? 'Wait, and send the request again.'
    : `${ofStatus[status] ?? correction} ${wantRefusal(status)}`
  return { ...about, message, cure: `${handling} ${next}` }
}
