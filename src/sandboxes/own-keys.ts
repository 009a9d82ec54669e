import { nextFreeKeyValue } from '../key-value.ts'
import type { Sandbox } from '../sandbox.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'

/**
 * Rows of another world come with its keys, which lead elsewhere: in the sandbox they count by its address alone. So
 * each gets a twin that leads here: the sandbox's own key of the same label and scopes, or a new one.
 *
 * @param tables what the sandbox is about to go on with; changed in place
 */
export function addOwnKeys(tables: Tables, sandbox: Sandbox): void {
  const rows = [...tables.keys.values()]
  if (!rows.some(({ value }) => sandbox.isTakenElsewhere(value))) return
  const own = [...sandbox.tables.keys.values()].filter(
    ({ value }) => !sandbox.isTakenElsewhere(value),
  )
  const taken = new Set(rows.map(({ value }) => value))
  const isFree = (value: string) => !taken.has(value) && !sandbox.isTakenElsewhere(value)
  const both = rows.flatMap((row) => {
    if (!sandbox.isTakenElsewhere(row.value)) return [row]
    const same = own.find((key) => isAlike(key, row) && !taken.has(key.value))
    const value = same?.value ?? nextFreeKeyValue(sandbox, isFree)
    taken.add(value)
    return [{ ...row, value, label: row.label === row.value ? value : row.label }, row]
  })
  for (const { value } of rows) tables.keys.delete(value)
  for (const row of both) tables.keys.set(row)
}

function isAlike(one: KeyRow, other: KeyRow): boolean {
  return one.label === other.label && String(one.scopes) === String(other.scopes)
}
