import type { ClientRequest } from './client-request.ts'
import { LatestMap } from './latest-map.ts'
import type { Breach, ClientRule, Watch } from './rule.ts'

export const refusedPut: ClientRule = {
  id: 'refused-put',
  sentence: 'PUT of a row got a 405, and the client did not send PATCH. The row was not changed.',
  cure: 'Send PATCH with the fields that change.',
  level: 'note',
  evidence: 'assumed',
  source: 'the documentation lists no PUT, and shows no status of errors',
}

export class RefusedPuts implements Watch {
  /** By client and row: the latest one */
  readonly #refused = new LatestMap<string, ClientRequest>()

  see(request: ClientRequest): void {
    const { client, status, record } = request
    const isRefused = record.method === 'PUT' && status === 405
    if (!isRefused && this.#refused.size === 0) return
    const { row } = request
    if (!row) return
    const name = `${client} ${row.title}`
    if (isRefused) this.#refused.set(name, request)
    else if (request.verb === 'update') this.#refused.delete(name)
  }

  breaches(): readonly Breach[] {
    return [...this.#refused.values()].map((request) => {
      const message = `PUT of ${request.row?.title} got a 405, and changed nothing.`
      return { rule: refusedPut, message, requests: [request] }
    })
  }
}
