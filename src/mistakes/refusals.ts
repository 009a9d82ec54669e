import { isSuccess } from '../http/messages.ts'
import { isSameJson } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, inDocument, readInSource, Watch } from './rule.ts'

const handling =
  'Look at the status of each response, since `fetch` throws for no status: correct the request, or show the error.'

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  title: 'The client did not delete an annotation',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation by its id. It was not deleted. It is a note if nothing that the client sent succeeded: a test can want the refusal.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...inDocument('hard deletion is not allowed; the caller is told to use PATCH'),
}

export const refusedPut: ClientRule = {
  id: 'refused-put',
  title: 'The client sent a PUT, which the API refuses',
  sentence: 'PUT of a row got a 405, and the client did not send PATCH. The row was not changed.',
  cure: 'Send PATCH with the fields that change.',
  level: 'note',
  evidence: 'assumed',
  source: 'the documentation lists no PUT, and shows no status of errors',
}

export const unhandledRefusal: ClientRule = {
  id: 'unhandled-refusal',
  title: 'The client ignored a refusal',
  sentence:
    'A write got a 4xx, or a 500 that no fault made, or a read whose path the API does not have, or whose header Authorization has no key that the API can read, and no later write of the client to the same path succeeded, nor the same write with another key. Not reported: a refusal by a fault; one that another rule reports, or that `toHaveReceived` or `verify` expects by its `status`; the refusals of a client that was only ever refused, in a test or in two or more ways; and the deletion of a row that is gone.',
  cure: `${handling} ${wantRefusal(400)}`,
  level: 'note',
  ...readInSource,
}

/** Finds requests that were refused and never made good. */
export class Refusals extends Watch {
  /** By client, path and reason: the latest refused one */
  readonly #refused = new LatestMap<string, ClientRequest>()

  see(request: ClientRequest): void {
    const isRefused = isRefusal(request)
    if (!isRefused && this.#refused.size === 0) return
    for (const [name, refused] of this.#refused) {
      const isMadeGood = isRefusedDelete(refused) ? isAwareOfRow : isRepaired
      if (isMadeGood(refused, request)) this.#refused.delete(name)
    }
    if (isRefused) this.#refused.set(`${request.client} ${request.path} ${wayOf(request)}`, request)
  }

  override breaches(): readonly Breach[] {
    const refused = [...this.#refused.values()]
    const clients = new Set(refused.map(({ client }) => client))
    return [...clients].flatMap((client) => {
      const own = refused.filter((request) => request.client === client)
      const hasSucceeded = this.history.hasSucceeded(client)
      // A client that is refused in several ways, and never succeeds, tries out what is refused.
      const isWanted = !hasSucceeded && (this.history.isTest || new Set(own.map(wayOf)).size > 1)
      const deletes = own.filter(isRefusedDelete)
      const others = own.filter((request) => !isRefusedDelete(request))
      return [
        ...(deletes.length > 0 ? [describeDeletes(deletes, hasSucceeded)] : []),
        ...others
          .map((request) => (isRefusedPut(request) ? describePut(request) : describe(request)))
          .filter(({ rule }) => !isWanted || rule !== unhandledRefusal),
      ]
    })
  }
}

/** How many annotations a message names. */
const maxIds = 10

function wantRefusal(status: number): string {
  return `A test that wants the refusal says so, such as by toHaveReceived({ status: ${status} }).`
}

function wayOf({ record: { method, operation }, reason }: ClientRequest): string {
  return `${operation ?? method} ${reason}`
}

function isRefusal(request: ClientRequest): boolean {
  const { status, record, isServed } = request
  if (isRefusedDelete(request)) return true
  if (status < 400 || (status >= 500 && !request.isWrite) || !isServed) return false
  const isPathUnknown = record.operation === null && status === 404
  if (!request.isWrite)
    return (isPathUnknown && request.path.startsWith('/api/')) || isKeyUnread(request)
  const isDelete = record.method === 'DELETE' || Object(request.sent).deleted === true
  const isGone = status === 404 || record.failure?.details.isRowMissing === true
  // A body that the journal did not keep can be a deletion.
  return !(isGone && (isDelete || !request.isSentKept))
}

/** Whether a request has a key that the API did not find. A check that strangers are refused sends none, or a wrong one. */
function isKeyUnread(request: ClientRequest): boolean {
  const { status, record } = request
  const isSent = Boolean(record.requestHeaders.get('authorization'))
  return status === 401 && isSent && Object(request.received).code === 'not_authenticated'
}

function isRefusedDelete({ record, status }: ClientRequest): boolean {
  const { operation, failure, settingReads } = record
  if (operation !== 'deleteAnnotation' || status < 400 || failure?.details.isRowMissing)
    return false
  return status === 405 || settingReads.ids.includes('annotations.delete.status')
}

function isRefusedPut({ record, status, row }: ClientRequest): boolean {
  return record.method === 'PUT' && status === 405 && row !== null
}

/** Whether the same client, or the same request with another key, had success. */
function isRepaired(refused: ClientRequest, request: ClientRequest): boolean {
  const { status, isWrite, path, record } = request
  if (!isSuccess(status) || path !== refused.path || isWrite !== refused.isWrite) return false
  const isSame = record.method === refused.record.method && isSameJson(request.sent, refused.sent)
  return request.client === refused.client || isSame
}

/** A refused PATCH, or a look at the row, shows that the client does not take it for deleted. */
function isAwareOfRow(refused: ClientRequest, request: ClientRequest): boolean {
  const { row, sent, list, verb, status, changes } = request
  const id = refused.row?.id
  if (
    changes.some((change) => change.list === 'annotations' && change.id === id && change.isDeleted)
  )
    return true
  if (list !== 'annotations' || row?.id !== id) return false
  const isUpdate = verb === 'update' || verb === 'replace'
  return isUpdate ? Object(sent).deleted === true : verb === 'retrieve' && status === 200
}

function describeDeletes(requests: readonly ClientRequest[], hasSucceeded: boolean): Breach {
  const ids = [...new Set(requests.map(({ row }) => row?.id))]
  const [rule, times] = [swallowedDelete, ids.length]
  const rest = times > maxIds ? ` and ${times - maxIds} more` : ''
  const message =
    times === 1
      ? `Annotation ${ids[0]} was not deleted, and the client did not delete it with PATCH.`
      : `Annotations ${ids.slice(0, maxIds).join(', ')}${rest} were not deleted, and the client did not delete them with PATCH.`
  const [{ client: subject, status }] = requests as [ClientRequest]
  const cure = `${rule.cure} ${wantRefusal(status)}`
  return { rule, subject, message, times, requests, ...(!hasSucceeded && { level: 'note', cure }) }
}

function describePut(request: ClientRequest): Breach {
  const message = `PUT of ${request.row?.title} got a 405, and changed nothing.`
  return { rule: refusedPut, message, requests: [request] }
}

function describe(request: ClientRequest): Breach {
  const { record, status, reason, path } = request
  const later = ' No later write of the client to this path succeeded.'
  const message = `${record.operation ?? record.method} got ${reason.replace(/\.$/, '')}.${request.isWrite ? later : ''}`
  const subject = `${record.operation ?? `${record.method} ${path}`} ${status}`
  const cure = `${handling} ${wantRefusal(status)}`
  return { rule: unhandledRefusal, subject, message, cure, requests: [request] }
}
