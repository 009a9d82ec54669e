import type { WorldSandbox } from '../sandbox.ts'
import { show, UsageError } from '../usage-error.ts'
import { randomText } from '../world/random.ts'
import type { KeyRow } from '../world/rows.ts'

/** What new keys follow from. */
interface Making {
  readonly seed: number
  /** Another number for each sandbox: no two get the same keys. */
  readonly salt: number
  readonly isTaken: (value: string) => boolean
}

/**
 * Gives each key of a sandbox another value, so that it leads there alone, and nowhere else.
 *
 * @param chosen values by the label or the value that a key has now; the others are made
 * @throws UsageError for a name that no key has, or a value that another key has
 */
export function renewKeys(
  sandbox: WorldSandbox,
  chosen: Readonly<Record<string, string>>,
  { seed, salt, isTaken }: Making,
): void {
  const { tables } = sandbox
  const rows = [...tables.keys.values()]
  checkNames(Object.keys(chosen), rows)
  const renewed = rows.map((row, index) => ({
    ...row,
    value: chosen[row.label ?? row.value] ?? chosen[row.value] ?? made(seed, salt, index),
  }))
  const twice = renewed.find(
    ({ value }, index) => isTaken(value) || renewed.findIndex((row) => row.value === value) < index,
  )
  if (twice) {
    throw new UsageError(
      `Failed to choose a key: expected a value that no other key of a sandbox has, got ${show(twice.value)}. ` +
        'Choose another, or delete the sandbox that has it.',
    )
  }
  for (const { value } of rows) tables.keys.delete(value)
  for (const row of renewed) tables.keys.set(row)
  sandbox.beginHere()
}

function checkNames(names: readonly string[], rows: readonly KeyRow[]): void {
  const known = rows.flatMap(({ label, value }) => (label === null ? [value] : [label, value]))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new UsageError(
    `Failed to choose a key: expected the label or the value of one (${known.slice(0, 12).join(', ')}), ` +
      `got ${show(unknown)}.`,
  )
}

function made(seed: number, salt: number, index: number): string {
  return `phx_${randomText(seed, salt * 1_000 + index, 40)}`
}
