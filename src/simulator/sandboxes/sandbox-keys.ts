import {
  didYouMean,
  inspectValue,
  listWords,
  UsageError,
  unexpectedValue,
} from '../../utils/errors.ts'
import { type KeyCounter, nextFreeKeyValue } from '../../world/keys.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import { keyValueSchema } from '../../world/schema/field-schemas.ts'
import type { Tables } from '../../world/tables.ts'

/** The parts of a state whose keys are replaced. */
interface KeyedState extends KeyCounter {
  readonly tables: Tables
  readonly initial: LoadedWorld
  setInitial(tables: Tables): void
  /** Whether a key selects another sandbox */
  isTakenElsewhere(key: string): boolean
}

/** New values of keys, by the label or the value that a key has now. */
type RequestedKeys = Readonly<Record<string, string>>

/**
 * Gives each key of a sandbox a new value, so that it selects this sandbox only.
 *
 * @param requested values to use. The others are generated
 * @param isTaken whether a value selects another sandbox
 * @param isFree whether a generated value can be used
 * @throws UsageError for an unknown key, and for an invalid value or a value in use
 */
export function replaceKeys(
  state: KeyedState,
  requested: RequestedKeys,
  isTaken: (value: string) => boolean,
  isFree: (value: string) => boolean,
): void {
  const { tables } = state
  const rows = [...tables.keys.values()]
  rejectUnknownKeys(requested, rows)
  const values = new Set<string>()
  const newRows = rows.map((row) => {
    const name = [row.label, row.value].find((word) => Object.hasOwn(requested, word))
    const value =
      name === undefined ? nextFreeKeyValue(state, isFree) : requestedValue(requested, name)
    if (values.has(value) || isTaken(value)) {
      throw new UsageError(
        `Failed to choose a key: another key of a sandbox already has the value ${inspectValue(value)}. ` +
          'Choose another value, or delete that sandbox.',
        name === undefined ? 'keys' : `keys.${name}`,
      )
    }
    values.add(value)
    return withValue(row, value)
  })
  for (const { value } of rows) tables.keys.remove(value)
  for (const row of newRows) tables.keys.put(row)
  state.setInitial({ ...state.initial.tables, keys: tables.keys.fork() })
}

/** A key without a label has its value as label, which must not appear elsewhere. */
function withValue(row: KeyRow, value: string): KeyRow {
  return { ...row, value, label: row.label === row.value ? value : row.label }
}

function requestedValue(requested: RequestedKeys, name: string): string {
  const { data, success } = keyValueSchema.safeParse(requested[name])
  if (success) return data
  const expected = 'at least two characters of well-formed Unicode, without surrounding space'
  throw unexpectedValue('choose a key', expected, requested[name], undefined, `keys.${name}`)
}

function rejectUnknownKeys(requested: RequestedKeys, rows: readonly KeyRow[]): void {
  if (typeof requested !== 'object' || requested === null || Array.isArray(requested)) {
    const expected = 'an object of values by the label or the value of a key'
    throw unexpectedValue('choose keys', expected, requested, undefined, 'keys')
  }
  const names = rows.map(({ label }) => label)
  const known = new Set(rows.flatMap(({ label, value }) => [label, value]))
  const unknown = Object.keys(requested).find((name) => !known.has(name))
  if (unknown === undefined) return
  const expected = `the label or the value of a key (${listWords(names)})`
  const suggestion = didYouMean(unknown, names)
  const quoted = suggestion && inspectValue(suggestion)
  throw unexpectedValue('choose a key', expected, unknown, quoted, `keys.${unknown}`)
}

/**
 * Adds keys to rows of another world, whose keys select another state. Each such key gets a twin that selects this
 * sandbox: its own key of the same label and scopes, or a new one.
 *
 * @param tables the rows that are about to replace those of the state. They are changed in place
 */
export function addOwnKeys(tables: Tables, state: KeyedState): void {
  const rows = [...tables.keys.values()]
  if (!rows.some(({ value }) => state.isTakenElsewhere(value))) return
  const ownKeys = [...state.tables.keys.values()].filter(
    ({ value }) => !state.isTakenElsewhere(value),
  )
  const usedValues = new Set(rows.map(({ value }) => value))
  const isFree = (value: string) => !usedValues.has(value) && !state.isTakenElsewhere(value)
  const rowsWithTwins = rows.flatMap((row) => {
    if (!state.isTakenElsewhere(row.value)) return [row]
    const twin = ownKeys.find((key) => isEquivalent(key, row) && !usedValues.has(key.value))
    const value = twin?.value ?? nextFreeKeyValue(state, isFree)
    usedValues.add(value)
    return [withValue(row, value), row]
  })
  for (const { value } of rows) tables.keys.remove(value)
  for (const row of rowsWithTwins) tables.keys.put(row)
}

function isEquivalent(one: KeyRow, other: KeyRow): boolean {
  return one.label === other.label && String(one.scopes) === String(other.scopes)
}
