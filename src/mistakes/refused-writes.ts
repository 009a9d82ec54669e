import { isSuccess } from '../http/messages.ts'
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
    'A write got a 4xx, and no later write of the client to the same list or row succeeded. Not reported: a refusal by a fault; one that another rule reports, or that `toHaveReceived` or `verify` expects by its `status`; a test whose client was only ever refused; and the deletion of a row that is gone.',
  cure: 'Look at the status of each response, since `fetch` does not throw for a 4xx: correct the request, or show the error. A test that wants the refusal says so, such as by toHaveReceived({ status: 400 }).',
  level: 'note',
  ...readInSource,
}

/** Finds writes that were refused and never made good. */
export class RefusedWrites implements Watch {
  /** By client and path: the latest refused one */
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
    const name = `${client} ${request.path}`
    if (isRefused) this.#refused.set(name, request)
    else if (isSuccess(status)) this.#refused.delete(name)
  }

  breaches(): readonly Breach[] {
    return [...this.#refused.values()].flatMap((request) => {
      const breach = isRefusedPut(request) ? describePut(request) : describeRefusal(request)
      const isWanted = this.#history.isTest && !this.#history.hasSucceeded(request.client)
      return isWanted && breach.rule === unhandledRefusal ? [] : [breach]
    })
  }
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
