import type { PolicyId } from '../policies/policies.ts'
import { type ClockReading, formatIsoTime } from '../world/clock/clock.ts'
import { isSameRow, unsharedRows } from '../world/edit/row-json.ts'
import {
  forkTables,
  type ListName,
  rowIdOf,
  type Tables,
  tableOf,
  worldLists,
} from '../world/tables.ts'
import type { Sandbox } from './sandbox.ts'
import { addOwnKeys } from './sandboxes/sandbox-keys.ts'
import type { SimulatorBase } from './simulator-base.ts'

/** How many rows of a list differ. */
interface ListChanges {
  readonly list: ListName
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** What a reset would undo: each part is what `reset({ only })` restores. */
export interface StateChanges {
  /** The lists with other rows than at the start, without the keys */
  readonly rows: readonly ListChanges[]
  /** The keys that differ. Null if none does */
  readonly keys: Omit<ListChanges, 'list'> | null
  readonly policies: readonly {
    readonly id: PolicyId
    readonly setting: string | number
    readonly start: string | number
  }[]
  /** The clock of the start, if it differs from the one of now. Its time is null in mode `real` */
  readonly clock: { readonly mode: ClockReading['mode']; readonly now: string | null } | null
  /** Whether other faults are active than at the start */
  readonly faults: boolean
}

/** Compares the state of a simulator with that of its start. */
export function readStateChanges(simulator: SimulatorBase): StateChanges {
  const { sandbox, clock, faults } = simulator
  const start = sandbox.initialSettings
  const { untracked } = sandbox.policyTracker
  const [mode, value, atReset, initial] = clock.saved
  const [rows, keys] = countChanges(startOf(sandbox), sandbox.tables)
  return {
    rows,
    keys,
    policies: (Object.keys(start) as PolicyId[])
      .filter((id) => untracked[id] !== start[id])
      .map((id) => ({ id, setting: untracked[id], start: start[id] })),
    clock:
      mode === initial.mode && value === atReset
        ? null
        : { mode: initial.mode, now: initial.mode === 'real' ? null : formatIsoTime(initial.now) },
    faults: String(idsOf(faults.list())) !== String(idsOf(faults.atReset)),
  }
}

/** The rows that a reset would restore. A sandbox has keys of its own in place of those of its source. */
function startOf(sandbox: Sandbox): Tables {
  const start = forkTables(sandbox.initial.tables)
  if (sandbox.number > 0) addOwnKeys(start, sandbox)
  return start
}

function idsOf(rules: readonly { readonly id: string }[]): string[] {
  return rules.map(({ id }) => id)
}

function countChanges(
  before: Tables,
  after: Tables,
): readonly [ListChanges[], StateChanges['keys']] {
  const lists: ListChanges[] = []
  for (const list of worldLists) {
    // Forks have the same version until one of them is written to.
    if (before[list].version !== after[list].version) lists.push(countList(list, before, after))
  }
  const differing = lists.filter(({ added, changed, removed }) => added + changed + removed > 0)
  const { list: _, ...keys } = differing.find(({ list }) => list === 'keys') ?? { list: 'keys' }
  return [differing.filter(({ list }) => list !== 'keys'), 'added' in keys ? keys : null]
}

function countList(list: ListName, before: Tables, after: Tables): ListChanges {
  let [added, changed] = [0, 0]
  for (const row of unsharedRows(list, after, before)) {
    const former = tableOf(before, list).get(rowIdOf(list, row))
    if (former === undefined) added += 1
    else if (!isSameRow(former, row)) changed += 1
  }
  return { list, added, changed, removed: before[list].size + added - after[list].size }
}
