import { inspectValue, issuesError, listWords, suggestWord } from '../../utils/errors.ts'
import { LatestMap } from '../../utils/latest-map.ts'
import { type KeyState, nextFreeKeyValue, takenKey } from '../../world/keys.ts'
import type { LoadedWorld } from '../../world/load/load-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'

interface KeyedState extends KeyState {
  readonly initial: LoadedWorld
  setInitial(tables: Tables): void
}

/** A key of a sandbox, with the value that it should have. */
export type ChosenKey = Pick<KeyRow, 'label' | 'value'>

/**
 * Gives each key of a sandbox a new value, so that it selects this sandbox only.
 *
 * @param chosen values to use. The others are generated
 * @throws UsageError for an unknown label
 * @throws ConflictError for a value in use
 */
export function replaceKeys(state: KeyedState, chosen: readonly ChosenKey[]): void {
  const { tables } = state
  const rows = [...tables.keys.values()]
  const choices = assignKeys(chosen, rows)
  const values = new Set<string>()
  const isTaken = (value: string) => values.has(value) || state.isTakenElsewhere(value)
  const newRows = rows.map((row) => {
    const index = choices.get(row) ?? -1
    const value = chosen[index]?.value ?? nextFreeKeyValue(state, (value) => !isTaken(value))
    if (isTaken(value)) {
      const path = ['keys', index, 'value']
      throw issuesError('Failed to choose a key.', [{ path, text: takenKey(value), isTaken: true }])
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

/** Finds the row of each chosen key. Of several keys with one label, the first choice is that of the first row. */
function assignKeys(chosen: readonly ChosenKey[], rows: readonly KeyRow[]) {
  const choices = new Map<KeyRow, number>()
  for (const [index, { label }] of chosen.entries()) {
    const row = rows.find((row) => row.label === label && !choices.has(row))
    if (!row) {
      const labels = rows.filter((row) => !choices.has(row)).map((row) => row.label)
      const expected = `expected the label of a key without a choice (${listWords(labels) || 'none'})`
      const text = `${expected}, got ${inspectValue(label)}.${suggestWord(label, labels)}`
      throw issuesError('Failed to choose a key.', [{ path: ['keys', index, 'label'], text }])
    }
    choices.set(row, index)
  }
  return choices
}

/**
 * Adds keys to rows of another world, whose keys select another state. Each such key gets a twin that selects this
 * sandbox: its own key of the same label and scopes, or a new one.
 *
 * @param tables the rows that are about to replace those of the state. They are changed in place
 */
export function addSandboxKeys(tables: Tables, state: KeyedState): void {
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

function isEquivalent(a: KeyRow, b: KeyRow) {
  return a.label === b.label && String(a.scopes) === String(b.scopes)
}

interface KeyOwner {
  readonly tables: Pick<Tables, 'keys'>
}

type KeyTable = Tables['keys']

/** Which sandbox each key selects: the first one that has it. All other keys are those of the host. */
export class KeyOwners<W extends KeyOwner> {
  readonly #host: W
  /** Further secrets that every world masks, such as the token of a server */
  readonly secrets: Set<string> = new Set()
  readonly #sandboxes = new Map<string, W>()
  /** The latest keys of sandboxes that ended. */
  readonly #ended = new LatestMap<string, true>()

  constructor(host: W) {
    this.#host = host
  }

  /** The sandbox that a key selects. Undefined for a key of the host, and for an unknown one. */
  sandboxOf(key: string): W | undefined {
    return this.#sandboxes.get(key)
  }

  isTaken(key: string, world: W): boolean {
    const sandbox = this.#sandboxes.get(key)
    if (sandbox) return sandbox !== world
    return world !== this.#host && this.#host.tables.keys.get(key) !== undefined
  }

  delete(sandbox: W): void {
    for (const { value } of sandbox.tables.keys.values()) {
      this.#take(value, sandbox)
      this.#ended.set(value, true)
    }
  }

  hadEnded(key: string): boolean {
    return this.#ended.has(key)
  }

  /** A key of a world was issued, changed or revoked. */
  write(world: W, before: KeyRow | undefined, after: KeyRow | undefined): void {
    if (after) this.#give(after.value, world)
    else if (before) this.#take(before.value, world)
  }

  replace(world: W, former: KeyTable, current: KeyTable): void {
    for (const { value } of former.values()) if (!current.get(value)) this.#take(value, world)
    for (const { value } of current.values()) this.#give(value, world)
  }

  #give(key: string, world: W) {
    if (world === this.#host || this.isTaken(key, world)) return
    this.#sandboxes.set(key, world)
    this.#ended.delete(key)
  }

  #take(key: string, world: W) {
    if (this.#sandboxes.get(key) === world) this.#sandboxes.delete(key)
  }
}
