import { isSuccess } from '../http/messages.ts'
import type { SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import { once } from '../world/schema/world-schema.ts'

export const timeOf = ({ date_marker: time }: SeenRow): number =>
  typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY

/** As the API sorts lists. */
export const orders = {
  annotations: (a: SeenRow, b: SeenRow): number =>
    timeOf(a) === timeOf(b) ? Number(b.id) - Number(a.id) : timeOf(b) > timeOf(a) ? 1 : -1,
  plugins: (a: SeenRow, b: SeenRow): number => Number(a.id) - Number(b.id),
}

type OrderedList = keyof typeof orders

/** So many later responses are asked about a row. */
const maxLater = 60

type Fate = 'there' | 'gone' | 'unknown'

/** Returns a function that says what the first later response that tells shows of a row. */
export function createFateFinder(list: OrderedList, parent: string, later: readonly SeenRequest[]) {
  const reads = once(() =>
    later.slice(0, maxLater).map((next) => {
      const isList = next.page && next.parent === parent && next.terms.length === 0
      return { next, isList, shown: new Map(next.rows.map((row) => [row.id, row])) }
    }),
  )
  return (row: SeenRow): Fate => {
    let ahead: SeenRequest | undefined
    for (const { next, isList, shown } of reads()) {
      const isNamed = next.row?.id === row.id
      const isDone = isNamed && isSuccess(next.status)
      // What the client does itself says nothing about others.
      if (isDone && 'deleted' in next.sent) return 'unknown'
      const isLacking = (isNamed && next.status === 404) || shown.get(row.id)?.deleted === true
      if (isLacking) return 'gone'
      if (shown.has(row.id) || (isDone && next.isWrite)) return 'there'
      if (isList && lacks(next, row, list, ahead)) return 'gone'
      if (isList) ahead = next
    }
    return 'unknown'
  }
}

/** Whether a page lacks a row, and shows what is on both sides of its place. @param ahead the page before it */
export function lacks(
  { page, rows, offset, count, terms }: SeenRequest,
  row: SeenRow,
  list: OrderedList,
  ahead?: SeenRequest,
): boolean {
  if (!page || terms.length > 0) return false
  if (count === 0) return true
  const isNext = ahead?.count === count && ahead.offset + ahead.rows.length === offset
  const [first, last] = [isNext ? ahead.rows.at(-1) : rows[0], rows.at(-1)]
  if (!first || !last) return false
  const order = orders[list]
  const isPlaced = list === 'plugins' || 'date_marker' in first
  const isFrom = offset === 0 || (isPlaced && order(first, row) < 0)
  return isFrom && (offset + rows.length === count || (isPlaced && order(row, last) < 0))
}
