import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest } from './client-request.ts'
import { isDeletion } from './creates.ts'
import { type Breach, type ClientRule, type History, inDocument, type Watch } from './rule.ts'

export const swallowedDelete: ClientRule = {
  id: 'swallowed-delete',
  sentence:
    'DELETE of an annotation was refused. The client neither sent a PATCH with `deleted: true` nor retrieved the annotation by its id. It was not deleted. It is a note if nothing that the client sent succeeded: a test can want the refusal.',
  cure: 'Send PATCH with {"deleted": true}. Annotations are never deleted for good.',
  level: 'error',
  ...inDocument('hard deletion is not allowed; the caller is told to use PATCH'),
}

/** How many annotations a message names. */
const maxIds = 10

export class SwallowedDeletes implements Watch {
  /** By the id of the annotation: the refused request, or null for a deleted row */
  readonly #deletions = new LatestMap<string, ClientRequest | null>(10_000)
  readonly #history: History

  constructor(history: History) {
    this.#history = history
  }

  see(request: ClientRequest): void {
    const deletions = this.#deletions
    for (const change of request.changes) {
      if (change.list !== 'annotations') continue
      if (isDeletion(change)) deletions.set(String(change.id), null)
      else if (change.fields.deleted) deletions.delete(String(change.id))
    }
    const isRefused = isRefusedDelete(request)
    if (!isRefused && deletions.size === 0) return
    if (request.row?.list !== 'annotations') return
    const id = String(request.row.id)
    if (isRefused && deletions.get(id) !== null) deletions.set(id, request)
    if (deletions.get(id) && isAwareOfRow(request)) deletions.delete(id)
  }

  breaches(): readonly Breach[] {
    const byClient = new Map<string, [id: string, refused: ClientRequest][]>()
    for (const [id, refused] of this.#deletions) {
      if (refused)
        byClient.set(refused.client, [...(byClient.get(refused.client) ?? []), [id, refused]])
    }
    return [...byClient].map(([client, refused]) => ({
      rule: swallowedDelete,
      subject: client,
      message: sayNotDeleted(refused.map(([id]) => id)),
      times: refused.length,
      requests: refused.map(([, request]) => request),
      ...(!this.#history.hasSucceeded(client) && { ...toNote(refused[0]?.[1].status) }),
    }))
  }
}

export function isRefusedDelete({ record, status }: ClientRequest): boolean {
  const { operation, failure, settingReads } = record
  if (operation !== 'deleteAnnotation' || status < 400 || failure?.details.isRowMissing)
    return false
  return status === 405 || settingReads.includes('annotations.delete.status')
}

/** A refused PATCH, or a look at the row, shows that the client does not take it for deleted. */
function isAwareOfRow({ sent, list, verb, status }: ClientRequest): boolean {
  if (list !== 'annotations') return false
  const isUpdate = verb === 'update' || verb === 'replace'
  if (isUpdate && Object(sent).deleted === true) return true
  return verb === 'retrieve' && status === 200
}

function toNote(status: number | undefined): Pick<Breach, 'level' | 'cure'> {
  const cure = `${swallowedDelete.cure} A test that wants the refusal says so, such as by toHaveReceived({ status: ${status} }).`
  return { level: 'note', cure }
}

function sayNotDeleted(ids: readonly string[]): string {
  if (ids.length === 1)
    return `Annotation ${ids[0]} was not deleted, and the client did not delete it with PATCH.`
  const rest = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : ''
  return `Annotations ${ids.slice(0, maxIds).join(', ')}${rest} were not deleted, and the client did not delete them with PATCH.`
}
