import type { ClientRequest } from './client-request.ts'
import { isDeletion } from './creates.ts'
import { LatestMap } from './latest-map.ts'
import { type Breach, type ClientRule, readInSource, type Watch } from './rule.ts'

export const staleRow: ClientRule = {
  id: 'stale-row',
  sentence:
    'A client deleted a row, got the response, and then changed it, deleted it again (with DELETE or PATCH), or retrieved it more than once. Looking once whether it is gone is not reported, nor is a row that is restored.',
  cure: 'Remove a row from what you show and keep when its delete has succeeded. PATCH changes also an annotation that is deleted, and nobody sees it.',
  level: 'note',
  ...readInSource,
}

/** A row that its client deleted. */
interface DeletedRow {
  readonly id: number | string
  readonly deletion: ClientRequest
  readonly reads: ClientRequest[]
  readonly writes: ClientRequest[]
}

export class StaleRows implements Watch {
  /** By client, and by the path of the row */
  readonly #deleted = new LatestMap<string, DeletedRow>()
  /** By the list and the id of a row: the keys of these */
  readonly #names = new LatestMap<string, string>()

  see(request: ClientRequest): void {
    const { changes, verb, status } = request
    if (this.#deleted.size === 0 && changes.length === 0) return
    const name = `${request.client} ${request.path}`
    const row = this.#deleted.get(name)
    for (const { list, id, kind, fields } of changes) {
      const isRestored = kind === 'created' || fields.deleted?.[1] === false
      if (isRestored) this.#deleted.delete(this.#names.get(`${list} ${id}`) ?? '')
    }
    if (row && this.#deleted.has(name)) {
      if (verb === 'retrieve' && status === 404 && row.reads.length < maxUses)
        row.reads.push(request)
      else if (isStaleWrite(request) && row.writes.length < maxUses) row.writes.push(request)
      return
    }
    const deleted = request.isLost || status >= 300 ? undefined : changes.find(isDeletion)
    if (!deleted) return
    const { id } = deleted
    this.#deleted.set(name, { id, deletion: request, reads: [], writes: [] })
    this.#names.set(`${deleted.list} ${id}`, name)
  }

  breaches(): readonly Breach[] {
    return [...this.#deleted.values()].flatMap(({ id, deletion, reads, writes }): Breach[] => {
      const uses = writes.length > 0 ? writes : reads.length > 1 ? reads : []
      const [first] = uses
      if (!first) return []
      const message = `The client ${didOf(first)} row ${id} after it had deleted it.`
      return [{ rule: staleRow, message, requests: [deletion, ...uses] }]
    })
  }
}

const maxUses = 20

/** Whether a request to a deleted row changes it without restoring it, or fails because it is gone. */
function isStaleWrite({ verb, status }: ClientRequest): boolean {
  if (verb === 'update' || verb === 'replace') return status === 404 || status < 300
  return verb === 'delete' && status === 404
}

function didOf({ verb, sent }: ClientRequest): string {
  if (verb === 'retrieve') return 'retrieved'
  return verb === 'delete' || Object(sent).deleted === true ? 'deleted' : 'changed'
}
