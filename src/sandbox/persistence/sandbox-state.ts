import { TrackedSettings } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { overridePolicies, type PolicyOverrides, resolvePolicies } from '../../policies/settings.ts'
import type { SavedClock } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { forkTables } from '../../world/table/tables.ts'
import type { Sandbox } from '../sandbox.ts'
import type { RegisteredSandbox } from '../sandboxes/registry.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { SimulatorBase } from '../simulator-base.ts'
import { applyChanges, findChanges, type WorldChanges } from './row-changes.ts'
import { resumeRules, type SavedRules, saveRules } from './saved-rules.ts'

/** A sandbox as it is saved: what differs from the world that it was created from. */
export interface SavedSandbox {
  readonly id: string
  /** The keys that select it. They come early, so that they can be read of a line that was cut off. */
  readonly keys: readonly string[]
  readonly replica: number | null
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
    replica: sandbox.replica?.number ?? null,
    base: savedBase,
    number: sandbox.number,
    name: sandbox.name ?? null,
    expires_at: expiresAt,
    initial_keys: initialKeys,
    initial: saveWorld(base.world, initial),
    current: saveWorld(initial, loaded),
    issued_keys: sandbox.issuedKeys,
    retired_keys: sandbox.retiredKeys,
    initial_policies: toOverrides(initialSettings),
    policies: toOverrides(policyTracker.untracked),
    clock: sandbox.clock.saved,
    rules: saveRules(simulator),
  }
}

function saveWorld(before: LoadedWorld, { tables, seed, now }: LoadedWorld): SavedWorld {
  return { seed, now: now ?? null, changes: findChanges(before.tables, tables) }
}

function toOverrides(settings: PolicySettings): PolicyOverrides {
  const usual: Readonly<Record<string, unknown>> = resolvePolicies()
  return Object.fromEntries(Object.entries(settings).filter(([id, value]) => usual[id] !== value))
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
