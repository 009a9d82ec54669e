import { isSameJson, toRowJson } from '../journal/changes.ts'
import type { RowChange } from './history.ts'

/**
 * Which of the changes to a row made each field what it is. Taking a row out makes nothing. Each row is written
 * out once, and none that is older than all that is asked for.
 *
 * @param changes those to one row, the latest first
 * @returns nothing for fields that none of them made
 */
export function lastWritePerField(
  changes: readonly RowChange[],
  fields: readonly string[],
): ReadonlyMap<string, RowChange> {
  const found = new Map<string, RowChange>()
  const open = new Set(fields)
  let known: ReturnType<typeof toRowJson> = null
  let knownOf: object | undefined
  for (const change of changes) {
    if (open.size === 0) break
    const { list, before, after } = change
    // What one change made is what the next one found: it is written out already.
    const now = after === knownOf ? known : toRowJson(list, after)
    known = toRowJson(list, before)
    knownOf = before
    if (now === null) continue
    for (const field of open) {
      if (known !== null && isSameJson(known[field], now[field])) continue
      found.set(field, change)
      open.delete(field)
    }
  }
  return found
}
