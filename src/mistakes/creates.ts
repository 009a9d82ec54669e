import type { JournalChange } from '../simulator/journal/entry.ts'
import { isObject } from '../utils/json.ts'
import type { ClientRequest } from './client-request.ts'

export function isCreate({ verb }: ClientRequest): boolean {
  return verb === 'create'
}

/** The row that a request created in its list. Undefined for none */
export function createdIn({ changes, list: own }: ClientRequest): JournalChange | undefined {
  return changes.find(({ kind, list }) => kind === 'created' && list === own)
}

/** Whether the client may not know that a row was created: it can give up within a body that comes slowly, too. */
export function hasNoAnswer(request: ClientRequest): boolean {
  const isCut = request.faultEffect.cut_bytes !== undefined
  return request.isLost || isCut || hasError(request)
}

/** Whether a complete response denies a row that was created. */
export function hasError(request: ClientRequest): boolean {
  return !request.isLost && request.status >= 500 && createdIn(request) !== undefined
}

/** The client, the list and the body of a create, in a form that can be compared. */
export function nameOfCreate({ client, path, sent }: ClientRequest): string {
  return `${client} ${path} ${JSON.stringify(sent, sortFields)}`
}

/** Sorts the fields of objects, so that bodies with equal fields are equal. */
function sortFields(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @returns whether one of the changes of a request deletes a row. Null if none of them deletes one */
export function deletionsIn(
  changes: readonly JournalChange[],
): ((row: JournalChange | undefined) => boolean) | null {
  const deletions = changes.filter(isDeletion)
  if (deletions.length === 0) return null
  return (row) => deletions.some(({ list, id }) => row?.list === list && row.id === id)
}

/** Whether a change hides a row from lists, or removes it. */
export function isDeletion({ kind, fields }: JournalChange): boolean {
  return kind === 'removed' || fields.deleted?.[1] === true
}

/** More are another series. */
const maxLength = 1_000

/** Equal creates of one client, in their order. */
export class CreateSeries {
  readonly requests: ClientRequest[] = []
  #left: readonly JournalChange[] = []
  /** How many rows they created */
  created = 0

  constructor(first: ClientRequest) {
    this.add(first)
  }

  /** Whether it takes no more */
  get isFull(): boolean {
    return this.requests.length >= maxLength
  }

  /** The rows that were not deleted again */
  get left(): readonly JournalChange[] {
    return this.#left
  }

  /** Whether no more than one row is left, because the others were deleted again */
  get isCorrected(): boolean {
    return this.created > 1 && this.#left.length < 2
  }

  add(request: ClientRequest): void {
    this.requests.push(request)
    const row = createdIn(request)
    if (!row) return
    this.created += 1
    this.#left = [...this.#left, row]
  }

  /** @param isGone whether a row was deleted */
  forget(isGone: (row: JournalChange) => boolean): void {
    if (this.#left.some(isGone)) this.#left = this.#left.filter((row) => !isGone(row))
  }
}
