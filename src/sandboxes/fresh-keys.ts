import { nextKeyValue } from '../key-value.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { nearest, show, UsageError, unexpected } from '../usage-error.ts'
import type { KeyRow } from '../world/rows.ts'
import { keyText } from '../world/schema/people.ts'

/** Values by the label or the value that a key has now. */
export type ChosenKeys = Readonly<Record<string, string>>

/**
 * Gives each key of a sandbox another value, so that it leads there alone, and nowhere else.
 *
 * @param chosen the others are made
 * @param isTaken whether a value leads elsewhere
 * @param isFree whether a value that is made may be had
 * @throws UsageError for a name that no key has, or a value that another key has, or that can be none
 */
export function renewKeys(
  sandbox: WorldSandbox,
  chosen: ChosenKeys,
  isTaken: (value: string) => boolean,
  isFree: (value: string) => boolean,
): void {
  const { tables } = sandbox
  const rows = [...tables.keys.values()]
  checkNames(chosen, rows)
  const values = new Set<string>()
  const renewed = rows.map((row) => {
    const value = chosenFor(row, chosen) ?? nextKeyValue(sandbox, isFree)
    if (values.has(value) || isTaken(value)) throw taken(nameIn(row, chosen), value)
    values.add(value)
    // A key without a label of its own has its value for one, which is not to be seen elsewhere.
    return { ...row, value, label: row.label === row.value ? value : row.label }
  })
  for (const { value } of rows) tables.keys.delete(value)
  for (const row of renewed) tables.keys.set(row)
  sandbox.beginHere()
}

function chosenFor(row: KeyRow, chosen: ChosenKeys): string | undefined {
  const name = nameIn(row, chosen)
  if (name === undefined) return undefined
  const value = chosen[name]
  if (keyText.safeParse(value).success) return value
  const expected = 'two characters or more, without space around them, of well-formed Unicode'
  throw unexpected('choose a key', expected, value, undefined, `keys.${name}`)
}

/** By which name a key was chosen. */
function nameIn({ label, value }: KeyRow, chosen: ChosenKeys): string | undefined {
  return [label, value].find((name) => name !== null && Object.hasOwn(chosen, name)) ?? undefined
}

function taken(name: string | undefined, value: string): UsageError {
  return new UsageError(
    `Failed to choose a key: expected a value that no other key of a sandbox has, got ${show(value)}. ` +
      'Choose another, or delete the sandbox that has it.',
    [],
    name === undefined ? 'keys' : `keys.${name}`,
  )
}

function checkNames(chosen: ChosenKeys, rows: readonly KeyRow[]): void {
  if (typeof chosen !== 'object' || chosen === null || Array.isArray(chosen)) {
    const expected = 'values by the label or the value of a key'
    throw unexpected('choose keys', expected, chosen, undefined, 'keys')
  }
  const known = rows.map(({ label, value }) => label ?? value)
  const unknown = Object.keys(chosen).find(
    (name) => !known.includes(name) && rows.every(({ value }) => value !== name),
  )
  if (unknown === undefined) return
  const expected = `the label or the value of one (${known.slice(0, 12).join(', ')})`
  throw unexpected('choose a key', expected, unknown, nearest(unknown, known), `keys.${unknown}`)
}
