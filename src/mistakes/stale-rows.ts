import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest, WrittenRow } from './client-request.ts'
import { type Breach, type ClientRule, readInSource, Watch, type WatchedRules } from './rule.ts'

const staleRow: ClientRule = {
  id: 'stale-row',
  title: 'The client used a row that it had deleted',
  sentence:
    'A client changed a row that is deleted, or upgraded a plugin that it had deleted. To restore a row, or to delete it again, is no mistake.',
  cure: 'Remove a row from what you show and keep when its delete has succeeded.',
  level: 'note',
  ...readInSource,
}

/** A row that a client deleted. */
interface DeletedRow {
  readonly deletion: ClientRequest
  readonly writes: ClientRequest[]
}

class StaleRows extends Watch {
  /** By list and id */
  readonly #deleted = new LatestMap<string, DeletedRow>()

  see(request: ClientRequest): void {
    const { changes } = request
    if (this.#deleted.size === 0 && changes.length === 0) return
    for (const { list, id, isNew, isRestored } of changes) {
      if (isNew || isRestored) this.#deleted.delete(`${list} ${id}`)
    }
    const row = request.verb === 'create' ? null : request.row
    if (!row) return
    const name = `${row.list} ${row.id}`
    const known = this.#deleted.get(name)
    if (known?.deletion.client === request.client) {
      if (isStaleWrite(request)) known.writes.push(request)
    } else if (isHidden(request) && isStaleWrite(request)) {
      const message = `The client changed ${row.title}, which is deleted.`
      const subject = `${request.client} ${name}`
      this.report({ rule: staleRow, subject, message, requests: [request] })
    } else if (request.status < 300 && !request.isLost) {
      const isOwn = ({ list, id }: WrittenRow) => list === row.list && id === row.id
      const isDeleted = changes.some((change) => change.isDeleted && isOwn(change))
      if (isDeleted) this.#deleted.set(name, { deletion: request, writes: [] })
    }
  }

  override breaches(): readonly Breach[] {
    const own = [...this.#deleted.values()].flatMap(({ deletion, writes }): Breach[] => {
      const [first] = writes
      if (!first) return []
      const message = `The client sent ${first.record.method} for ${first.row?.title} after it had deleted it.`
      return [{ rule: staleRow, message, requests: [deletion, ...writes] }]
    })
    return [...own, ...super.breaches()]
  }
}

export const staleRowRules: WatchedRules = { Watch: StaleRows, rules: [staleRow] }

/** Whether the response to an update shows that the row is deleted, and no update by this client did that. */
function isHidden(request: ClientRequest): boolean {
  const { verb, status, changes } = request
  if (verb !== 'update' || status !== 200 || changes.some(({ isDeleted }) => isDeleted))
    return false
  // An entry of a file has only the fields that changed.
  const row =
    changes.find(({ values }) => values && 'deleted' in values)?.values ?? request.received
  return Object(row).deleted === true
}

/** Whether a request changes a deleted row without restoring it, or fails because the row is gone. */
function isStaleWrite({ isWrite, status, sent, isSentKept, record }: ClientRequest): boolean {
  if (!isWrite || record.method === 'DELETE') return false
  if (status === 404 || !isSentKept) return status === 404
  // A job that deletes what is old can delete a row again.
  const isDeletedAgain = Object(sent).deleted === true && Object.keys(Object(sent)).length === 1
  return status < 300 && !isDeletedAgain
}
