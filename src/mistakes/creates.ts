import type { ClientRequest, ListPage } from './client-request.ts'
import { isWholeRow, nameOfFields, type StoredFields } from './stored-fields.ts'
import type { WrittenRow } from './written-row.ts'

export function isCreate({ verb }: ClientRequest): boolean {
  return verb === 'create'
}

/** The row that a request created in its list. Undefined for none */
export function createdIn({ changes, list: own }: ClientRequest): WrittenRow | undefined {
  return changes.find(({ isNew, list }) => isNew && list === own)
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

/** The client, the list and the row that a create wrote, or means. */
export function nameOfCreate(create: ClientRequest): string {
  return `${create.client} ${create.path} ${nameOfFields(create.list ?? '', fieldsOfCreate(create))}`
}

/** What a create wrote, or else what its body says. */
export function fieldsOfCreate(create: ClientRequest): StoredFields {
  const row = createdIn(create)?.values
  return row && isWholeRow(create.list ?? '', row) ? row : create.fields
}

/** More are another series. */
const maxLength = 1_000
const maxLooks = 10

/** Creates of one client for equal rows, one of which was sent although another one could have created the row. */
export class CreateSeries {
  readonly creates: ClientRequest[] = []
  /** The creates, and the looks between them that could not show the row, or did */
  readonly requests: ClientRequest[] = []
  /** The rows that they created */
  readonly rows: WrittenRow[] = []
  /** Whether the client does not know whether the latest one created a row, or sends it again although it could know */
  isOpen = false
  /** Whether it had read a row before it sent the create again */
  isRead = false
  #looks: ClientRequest[] = []

  constructor(first: ClientRequest) {
    this.add(first)
  }

  get last(): ClientRequest {
    return this.creates.at(-1) as ClientRequest
  }

  /** Whether it takes no more */
  get isFull(): boolean {
    return this.creates.length >= maxLength
  }

  add(request: ClientRequest): void {
    this.creates.push(request)
    this.requests.push(...this.#looks, request)
    this.#looks = []
    const row = createdIn(request)
    // A row that was deleted from the start is in no list.
    this.isOpen = hasNoAnswer(request) && !row?.isDeleted
    if (row) this.rows.push(row)
  }

  /** @param look a request for a page, which the journal may not have kept */
  look(look: ClientRequest): void {
    if (!this.isOpen || !isSameList(this.last.path, look.path)) return
    const { page } = look
    const hasRow = page?.rows.some(({ id }) => this.rows.some((row) => row.id === id)) ?? false
    this.isRead ||= hasRow
    if (!hasRow && (!page || canShow(look, page, this.last))) this.isOpen = false
    else if (this.#looks.length < maxLooks) this.#looks.push(look)
  }
}

/** Whether a page should show the row of a create if there is one. */
function canShow(look: ClientRequest, page: ListPage, create: ClientRequest): boolean {
  const { content, name, date_marker: time } = fieldsOfCreate(create)
  if (!isFoundBy(look.query.get('search') ?? '', content ?? name)) return false
  const last = page.rows.at(-1)
  if (page.next === null || !last) return true
  // Plugins are in the order of their ids. Annotations are sorted by time, the newest first, and first those without one.
  if (!('date_marker' in last)) return false
  return typeof time !== 'string' || Date.parse(time) >= Date.parse(String(last.date_marker))
}

function isFoundBy(search: string, text: unknown): boolean {
  const terms = search.toLowerCase().split(/[\s,]+/)
  return terms.every((term) =>
    String(text ?? '')
      .toLowerCase()
      .includes(term),
  )
}

/** Whether two paths name the same list. `@current` can be any project or organization. */
function isSameList(a: string, b: string): boolean {
  const [parts, others] = [a.split('/'), b.split('/')]
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || [part, others[at]].includes('@current'))
  )
}
