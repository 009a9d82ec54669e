import { TrackedSettings } from '../../policies/by-policy.ts'
import { diffPolicies } from '../../policies/policy-access.ts'
import { overridePolicies, type PolicyOverrides, resolvePolicies } from '../../policies/settings.ts'
import type { SavedClock } from '../../world/clock/clock.ts'
import { isSameJson, unsharedRows } from '../../world/edit/row-json.ts'
import { completeRowIn, type LoadedWorld } from '../../world/load/build-world.ts'
import { KeyedTable } from '../../world/table.ts'
import {
  countedListNames,
  forkTables,
  type ListName,
  rowIdOf,
  type Tables,
  tableOf,
  worldLists,
} from '../../world/tables.ts'
import { Actor } from '../actors/actors.ts'
import type { PresetRule } from '../faults/fault-request.ts'
import { ActiveRule } from '../faults/faults.ts'
import type { Sandbox } from '../sandbox.ts'
import type { RegisteredSandbox } from '../sandboxes/registry.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { SimulatorBase } from '../simulator-base.ts'

/** A sandbox as it is saved: what differs from the world that it was created from. */
export interface SavedSandbox {
  readonly id: string
  /** The keys that select it. They come early, so that they can be read of a line that was cut off. */
  readonly keys: readonly string[]
  readonly base: SavedBase
  readonly number: number
  readonly name: string | null
  /** Milliseconds since 1970, by the clock of the simulator */
  readonly expires_at: number | null
  readonly initial_keys: readonly string[]
  /** From the base to the rows that `reset` restores */
  readonly initial: SavedWorld
  /** From these to the current rows */
  readonly current: SavedWorld
  readonly issued_keys: number
  readonly retired_keys: number
  readonly initial_policies: PolicyOverrides
  readonly policies: PolicyOverrides
  readonly clock: SavedClock
  readonly rules: SavedRules
}

/** The world that a sandbox was created from. */
export interface SavedBase {
  /** The name of a fixture, or null for the world of the simulator */
  readonly fixture: string | null
  readonly digest: string
  /** Whether this world replaced the one that the simulator had started with */
  readonly is_replaced: boolean
}

interface SavedWorld {
  readonly seed: number
  readonly now: string | null
  readonly changes: WorldChanges
}

/** Saves a sandbox, in a time that grows with its changes. */
export function saveSandbox(
  { id, expiresAt, base, initialKeys, sandbox, simulator }: RegisteredSandbox<SimulatorBase>,
  savedBase: SavedBase,
): SavedSandbox {
  const { initial, loaded, policyTracker, initialSettings } = sandbox
  return {
    id,
    keys: [...sandbox.tables.keys.values()].map(({ value }) => value),
    base: savedBase,
    number: sandbox.number,
    name: sandbox.name ?? null,
    expires_at: expiresAt,
    initial_keys: initialKeys,
    initial: saveWorld(base.world, initial),
    current: saveWorld(initial, loaded),
    issued_keys: sandbox.issuedKeys,
    retired_keys: sandbox.retiredKeys,
    initial_policies: diffPolicies(resolvePolicies(), initialSettings),
    policies: diffPolicies(resolvePolicies(), policyTracker.untracked),
    clock: sandbox.clock.saved,
    rules: saveRules(simulator),
  }
}

function saveWorld(before: LoadedWorld, { tables, seed, now }: LoadedWorld): SavedWorld {
  return { seed, now: now ?? null, changes: findChanges(before.tables, tables) }
}

/** Adds a saved sandbox to the sandboxes of a simulator. @throws UsageError for a policy that this version does not have */
export function resumeSandbox(
  sandboxes: Sandboxes<SimulatorBase>,
  host: Sandbox,
  saved: SavedSandbox,
): void {
  const base = sandboxes.baseOf(saved.base.fixture ?? undefined)
  const initial = applyTo(base.world, saved.initial)
  const current = applyTo(initial, saved.current)
  const initialSettings = overridePolicies(resolvePolicies(), saved.initial_policies)
  const settings = overridePolicies(resolvePolicies(), saved.policies)
  const sandbox = host.fork(current)
  sandbox.initial = initial
  sandbox.initialSettings = initialSettings
  sandbox.policyTracker = new TrackedSettings(settings)
  sandbox.clock.saved = saved.clock
  sandbox.issuedKeys = saved.issued_keys
  sandbox.retiredKeys = saved.retired_keys
  sandbox.name = saved.name
  sandbox.number = saved.number
  const { id, expires_at: expiresAt, initial_keys } = saved
  sandboxes.resume({ id, sandbox, expiresAt, base, initialKeys: initial_keys })
  const simulator = sandboxes.get(id)
  if (simulator) resumeRules(simulator, saved.rules)
}

function applyTo({ tables: before }: LoadedWorld, { seed, now, changes }: SavedWorld): LoadedWorld {
  const tables = forkTables(before)
  applyChanges(tables, changes)
  return { tables, seed, now: now ?? undefined }
}

/** The faults and the second actors of a sandbox in a file, with their counters. */
interface SavedRules {
  readonly faults: SavedList<SavedFault>
  readonly actors: SavedList<SavedActor>
}

interface SavedList<R> {
  /** The number in the latest id */
  readonly last: number
  readonly rules: readonly R[]
}

type SavedFault = PresetRule & Pick<ActiveRule, 'id' | 'matched' | 'applied' | 'draws'>

interface SavedActor extends Pick<Actor, 'id' | 'steps' | 'errors' | 'remaining'> {
  readonly after: Actor['pattern']
  readonly runs: number
}

function saveRules({ faults, actors, sandbox }: SimulatorBase): SavedRules {
  const savedFaults = faults.rules.rules.map((one) => {
    const { id, pattern: rule, preset, matched, applied, draws, restoreCount } = one
    const isCurrent = restoreCount === sandbox.restoreCount
    return { id, rule, preset, matched, applied, draws: isCurrent ? draws : 0 }
  })
  const savedActors = actors.rules.rules.map((one) => {
    const { id, pattern: after, steps, errors, applied: runs, remaining } = one
    return { id, after, steps, errors, runs, remaining }
  })
  return {
    faults: { last: faults.rules.lastNumber, rules: savedFaults },
    actors: { last: actors.rules.lastNumber, rules: savedActors },
  }
}

/** Continues with saved rules in a sandbox whose rows were not replaced yet. Their warnings were printed before. */
function resumeRules(simulator: SimulatorBase, { faults, actors }: SavedRules): void {
  const active = faults.rules.map(({ id, rule, preset, ...counters }) =>
    Object.assign(new ActiveRule(id, { rule, preset }), counters),
  )
  simulator.faults.rules.resume(active, faults.last)
  const resumed = actors.rules.map(({ id, after, steps, errors, runs, remaining }) => {
    const actor = new Actor(id, { after, steps })
    actor.errors.push(...errors)
    const { requests } = actor.pattern
    const matched = runs * requests + (remaining === null ? 0 : requests - remaining)
    return Object.assign(actor, { applied: runs, matched })
  })
  simulator.actors.rules.resume(resumed, actors.last)
}

/** What leads from one state of a world to a later one. */
interface WorldChanges {
  /** New and changed rows by list. A list of few rows, such as the keys, is complete. */
  readonly rows: { readonly [List in ListName]?: readonly object[] }
  /** The ids of removed rows by list */
  readonly removed: { readonly [List in ListName]?: readonly number[] }
  /** The ids of the next rows, where they differ */
  readonly next_ids: { readonly [List in ListName]?: number }
  readonly revision: number
}

/** Compares two states of a world. Parts that both share cost nothing. */
function findChanges(before: Tables, after: Tables): WorldChanges {
  const rows: { [List in ListName]?: readonly object[] } = {}
  const removed: { [List in ListName]?: readonly number[] } = {}
  const next_ids: { [List in ListName]?: number } = {}
  for (const list of worldLists) {
    const current = after[list]
    if (current.version === before[list].version) continue
    if (current instanceof KeyedTable) {
      rows[list] = [...current.values()]
      continue
    }
    // A world that was loaded again has equal rows.
    const changed = unsharedRows(list, after, before).filter(
      (row) => !isSameJson(tableOf(before, list).get(rowIdOf(list, row)), row),
    )
    if (changed.length > 0) rows[list] = changed
    const ids = unsharedRows(list, before, after).map((row) => rowIdOf(list, row) as number)
    const gone = ids.filter((id) => tableOf(after, list).get(id) === undefined)
    if (gone.length > 0) removed[list] = gone
  }
  for (const list of countedListNames) {
    if (after[list].nextId !== before[list].nextId) next_ids[list] = after[list].nextId
  }
  return { rows, removed, next_ids, revision: after.pluginRevision }
}

/** Applies changes to tables that nothing observes. */
function applyChanges(tables: Tables, changes: WorldChanges): void {
  for (const list of worldLists) {
    const table = tables[list]
    const rows = changes.rows[list]?.map((row) => completeRowIn(tables, list, row))
    // The rows of such a list have an order of their own.
    const isReplaced = rows !== undefined && table instanceof KeyedTable
    const removed = isReplaced
      ? [...table.values()].map((row) => rowIdOf(list, row))
      : (changes.removed[list] ?? [])
    for (const id of removed) tableOf(tables, list).remove(id)
    for (const row of rows ?? []) tableOf(tables, list).put(row)
  }
  for (const list of countedListNames) {
    const id = changes.next_ids[list]
    if (id !== undefined) tables[list].nextId = id
  }
  tables.pluginRevision = changes.revision
}
