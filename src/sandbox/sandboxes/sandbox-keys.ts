import { didYouMean } from '../../utils/did-you-mean.ts'
import { inspectValue, UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { nextFreeKeyValue } from '../../world/keys.ts'
import type { KeyRow } from '../../world/rows.ts'
import { keyValueSchema } from '../../world/schema/row-schemas.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { Sandbox } from '../sandbox.ts'

/** Values by the label or the value that a key has now. */
export type RequestedKeys = Readonly<Record<string, string>>

/**
 * Gives each key of a sandbox another value, so that it leads there alone, and nowhere else.
 *
 * @param chosen the others are made
 * @param isTaken whether a value leads elsewhere
 * @param isFree whether a value that is made may be had
 * @throws UsageError for a name that no key has, or a value that another key has, or that can be none
 */
export function replaceKeys(
  sandbox: Sandbox,
  chosen: RequestedKeys,
  isTaken: (value: string) => boolean,
  isFree: (value: string) => boolean,
): void {
  const { tables } = sandbox
  const rows = [...tables.keys.values()]
  checkNames(chosen, rows)
  const values = new Set<string>()
  const renewed = rows.map((row) => {
    const value = requestedValue(row, chosen) ?? nextFreeKeyValue(sandbox, isFree)
    if (values.has(value) || isTaken(value)) throw keyTakenError(requestedName(row, chosen), value)
    values.add(value)
    // A key without a label of its own has its value for one, which is not to be seen elsewhere.
    return { ...row, value, label: row.label === row.value ? value : row.label }
  })
  for (const { value } of rows) tables.keys.delete(value)
  for (const row of renewed) tables.keys.set(row)
  sandbox.setInitial()
}

function requestedValue(row: KeyRow, chosen: RequestedKeys): string | undefined {
  const name = requestedName(row, chosen)
  if (name === undefined) return undefined
  const value = chosen[name]
  if (keyValueSchema.safeParse(value).success) return value
  const expected = 'two characters or more, without space around them, of well-formed Unicode'
  throw unexpectedValue('choose a key', expected, value, undefined, `keys.${name}`)
}

/** By which name a key was chosen. */
function requestedName({ label, value }: KeyRow, chosen: RequestedKeys): string | undefined {
  return [label, value].find((name) => name !== null && Object.hasOwn(chosen, name)) ?? undefined
}

function keyTakenError(name: string | undefined, value: string): UsageError {
  return new UsageError(
    `Failed to choose a key: expected a value that no other key of a sandbox has, got ${inspectValue(value)}. ` +
      'Choose another, or delete the sandbox that has it.',
    [],
    name === undefined ? 'keys' : `keys.${name}`,
  )
}

function checkNames(chosen: RequestedKeys, rows: readonly KeyRow[]): void {
  if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen)) {
    const expected = 'values by the label or the value of a key'
    throw unexpectedValue('choose keys', expected, chosen, undefined, 'keys')
  }
  const known = rows.map(({ label, value }) => label ?? value)
  const unknown = Object.keys(chosen).find(
    (name) => !known.includes(name) && rows.every(({ value }) => value !== name),
  )
  if (unknown === undefined) return
  const expected = `the label or the value of one (${known.slice(0, 12).join(', ')})`
  throw unexpectedValue(
    'choose a key',
    expected,
    unknown,
    didYouMean(unknown, known),
    `keys.${unknown}`,
  )
}

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
