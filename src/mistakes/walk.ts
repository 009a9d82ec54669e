import type { ClientRequest, ListPage } from './client-request.ts'
import { repeatedRow, skippedRow } from './page-rules.ts'
import type { Breach } from './rule.ts'

/** The way of a client from the first page of a list along `next`. */
export interface Walk {
  /** The request of the client before it */
  readonly before: ClientRequest | undefined
  /** The first ones, for the report */
  readonly requests: ClientRequest[]
  last: ClientRequest
  /** The rows of all its pages. None as long as there is one */
  ids?: Set<unknown>
  /** Whether the client changed a row on its way */
  hasWritten: boolean
  repeated?: unknown
  skipped?: unknown
}

/** How many requests of a walk are kept. */
const maxRequests = 1_000

export function addPage(walk: Walk, request: ClientRequest, { rows }: ListPage): void {
  const preceding = request.record.response.page?.before
  walk.ids ??= new Set(walk.last.page?.rows.map(({ id }) => id))
  const { ids, requests } = walk
  const repeated = rows.find(({ id }) => ids.has(id))
  if (repeated) walk.repeated = repeated.id
  else if (preceding !== undefined && !ids.has(preceding)) walk.skipped = preceding
  for (const { id } of rows) ids.add(id)
  if (requests.length < maxRequests) requests.push(request)
  walk.last = request
}

/** Whether a client went back at once for a row that it had missed. */
export function isReadAfterAll(
  { repeated, skipped, last }: Walk,
  { rows }: ListPage,
  before: ClientRequest | undefined,
): boolean {
  return repeated === undefined && before === last && rows.some(({ id }) => id === skipped)
}

/**
 * Whether a client began again at once, and came as far, with pages of any size: then it noticed. One that does something
 * else first did not notice.
 */
export function isStartedAgain(moved: Walk, walk: Walk): boolean {
  const isAsFar = walk.last.page?.next === null || countRows(walk) >= countRows(moved)
  return isAsFar && walk.before === moved.last
}

function countRows({ ids, last }: Walk): number {
  return ids?.size ?? last.page?.rows.length ?? 0
}

const ownChangeCure =
  'Change rows after the last page, or start again with the first page: rows that are created, deleted or moved shift the pages.'

export function describeMoved(subject: string, walk: Walk): Breach[] {
  const { requests, repeated, skipped, hasWritten, last } = walk
  // A client that changes the list and looks at another page does not always read the list.
  const isUnsure = hasWritten && last.page?.next !== null
  const shared = { subject, requests, ...(hasWritten && { cure: ownChangeCure }) }
  const breaches: Breach[] = []
  if (repeated !== undefined && !isUnsure) {
    // One that follows `next` may leave out rows that it has.
    const level = !hasWritten && { level: 'note' as const }
    const message = `Row ${repeated} came on two pages.`
    breaches.push({ ...shared, ...level, rule: repeatedRow, message })
  }
  if (skipped !== undefined) {
    const level = isUnsure && { level: 'note' as const }
    const message = `Row ${skipped} moved to a page that the client had read before.`
    breaches.push({ ...shared, ...level, rule: skippedRow, message })
  }
  return breaches
}
