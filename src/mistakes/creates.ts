import { isObject } from '../utils/json.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
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

/** The client, the list and the body of a create, in a form that can be compared. */
export function nameOfCreate({ client, path, sent }: ClientRequest): string {
  return `${client} ${path} ${JSON.stringify(sortFields(sent))}`
}

/** Sorts the fields of objects, so that bodies with equal fields are equal. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return { names, values: names.map((name) => sortFields(value[name])) }
}

/** More are another series. */
const maxLength = 1_000
const maxLooks = 10

/** Equal creates of one client, one of which was sent although another one could have created the row. */
export class CreateSeries {
  readonly creates: ClientRequest[] = []
  /** The creates, and the looks between them that could not show the row */
  readonly requests: ClientRequest[] = []
  /** Whether the client does not know whether the latest one created a row */
  isOpen = false
  /** How many rows they created */
  created = 0
  /** The rows that were not deleted again */
  left: readonly WrittenRow[] = []
  #looks: ClientRequest[] = []
  /** Whether a list showed all of the rows */
  #isSeen = false

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

  /** Whether more rows are left than one, or may be: the others were not deleted again */
  get isWrong(): boolean {
    return this.creates.length > 1 && (this.created < 2 || this.left.length > 1)
  }

  add(request: ClientRequest): void {
    this.creates.push(request)
    this.requests.push(...this.#looks, request)
    this.#looks = []
    const row = createdIn(request)
    // A row that was deleted from the start is in no list.
    this.isOpen = hasNoAnswer(request) && !row?.isDeleted
    if (!row) return
    this.created += 1
    this.left = [...this.left, row]
  }

  /** @param look a request for a page, which the journal may not have kept */
  look(look: ClientRequest): void {
    const { page } = look
    const ids = new Set<unknown>(page?.rows.map(({ id }) => id))
    const isShown = ({ list, id }: WrittenRow) => list === look.list && ids.has(id)
    this.#isSeen ||= !page || this.left.every(isShown)
    if (!this.isOpen || !isSameList(this.last.path, look.path)) return
    if (!page || canShow(look, page, this)) this.isOpen = false
    else if (this.#looks.length < maxLooks) this.#looks.push(look)
  }

  /** @param isGone whether a row was deleted. The one with a response counts once a list has shown all of them */
  forget(isGone: (row: WrittenRow) => boolean): void {
    if (!this.left.some(isGone)) return
    const unknown = this.creates.filter(hasNoAnswer).flatMap((create) => createdIn(create) ?? [])
    const isLeft = (row: WrittenRow) =>
      !isGone(row) || !(this.#isSeen || unknown.length === 0 || unknown.includes(row))
    this.left = this.left.filter(isLeft)
    if (this.left.length === 0) this.isOpen = false
  }
}

/** Whether a page shows the row of a create, or should if there is one. */
function canShow(
  look: ClientRequest,
  page: ListPage,
  { left, last: create }: CreateSeries,
): boolean {
  if (page.rows.some(({ id }) => left.some((row) => row.id === id))) return true
  const { content, name, date_marker: time } = Object(create.sent)
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
