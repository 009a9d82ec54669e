import { isSuccess } from '../http/messages.ts'
import { isSameJson } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { type Breach, type ClientRule, type History, readInSource, type Watch } from './rule.ts'
import { isRefusedDelete } from './swallowed-deletes.ts'

export const refusedPut: ClientRule = {
  id: 'refused-put',
  sentence: 'PUT of a row got a 405, and the client did not send PATCH. The row was not changed.',
  cure: 'Send PATCH with the fields that change.',
  level: 'note',
  evidence: 'assumed',
  source: 'the documentation lists no PUT, and shows no status of errors',
}

export const unhandledRefusal: ClientRule = {
  id: 'unhandled-refusal',
  sentence:
    'A write got a 4xx, and no later write of the client to the same list or row succeeded, nor the same write with another key. Not reported: a refusal by a fault; one that another rule reports, or that `toHaveReceived` or `verify` expects by its `status`; the refusals of a client that was only ever refused, in a test or in two or more ways; and the deletion of a row that is gone.',
  cure: 'Look at the status of each response, since `fetch` does not throw for a 4xx: correct the request, or show the error. A test that wants the refusal says so, such as by toHaveReceived({ status: 400 }).',
  level: 'note',
  ...readInSource,
}

/** Finds writes that were refused and never made good. */
export class RefusedWrites implements Watch {
  /** By client, path and reason: the latest refused one */
  readonly #refused = new LatestMap<string, ClientRequest>()
  readonly #history: History

  constructor(history: History) {
    this.#history = history
  }

  see(request: ClientRequest): void {
    const { client, status } = request
    if (!request.isWrite) return
    const isRefused = isRefusal(request)
    if (!isRefused && this.#refused.size === 0) return
    const { path } = request
    if (isRefused) this.#refused.set(`${client} ${path} ${wayOf(request)}`, request)
    if (!isSuccess(status)) return
    for (const [name, refused] of this.#refused) {
      if (refused.path !== path) continue
      if (refused.client === client || isSameWrite(refused, request)) this.#refused.delete(name)
    }
  }

  breaches(): readonly Breach[] {
    const refused = [...this.#refused.values()]
    return refused.flatMap((request) => {
      const breach = isRefusedPut(request) ? describePut(request) : describeRefusal(request)
      return breach.rule === unhandledRefusal && this.#isWanted(request, refused) ? [] : [breach]
    })
  }

  /** A client that is refused in several ways, and never succeeds, tries out what is refused. */
  #isWanted({ client }: ClientRequest, refused: readonly ClientRequest[]): boolean {
    if (this.#history.hasSucceeded(client)) return false
    const ways = new Set(refused.flatMap((other) => (other.client === client ? wayOf(other) : [])))
    return this.#history.isTest || ways.size > 1
  }
}

function wayOf({ record: { method, operation }, reason }: ClientRequest): string {
  return `${operation ?? method} ${reason}`
}

/** Whether two requests to one path differ in nothing but their key. */
function isSameWrite(a: ClientRequest, b: ClientRequest): boolean {
  return a.record.method === b.record.method && isSameJson(a.sent, b.sent)
}

function isRefusal(request: ClientRequest): boolean {
  const { status, record, sent, isServed } = request
  if (status < 400 || status >= 500 || !isServed || isRefusedDelete(request)) return false
  const isDeletion = record.method === 'DELETE' || Object(sent).deleted === true
  const isGone = status === 404 || record.failure?.details.isRowMissing === true
  // A body that the journal did not keep can be a deletion.
  return !(isGone && (isDeletion || !request.isSentKept))
}

function isRefusedPut({ record, status, row }: ClientRequest): boolean {
  return record.method === 'PUT' && status === 405 && row !== null
}

function describePut(request: ClientRequest): Breach {
  const message = `PUT of ${request.row?.title} got a 405, and changed nothing.`
  return { rule: refusedPut, message, requests: [request] }
}

function describeRefusal(request: ClientRequest): Breach {
  const { record, status, row, reason } = request
  const what = record.operation ?? record.method
  const message = `${what} got ${reason.replace(/\.$/, '')}. No later write of the client to this ${row ? 'row' : 'path'} succeeded.`
  return { rule: unhandledRefusal, subject: `${what} ${status}`, message, requests: [request] }
}
