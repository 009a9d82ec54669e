import { UsageError } from '../usage-error.ts'
import { faultsOf } from './faults.ts'
import { referenceFaults } from './references.ts'
import { type ParsedWorld, worldSchema } from './schema/world.ts'
import { type Tables, toTables } from './tables.ts'
import type { CountedList, WorldJson } from './world-json.ts'

/** A world that was checked: its rows, and what everything generated in it follows from. */
export interface LoadedWorld {
  readonly tables: Tables
  readonly seed: number
  /** ISO 8601; the time that generated rows refer to, where the world says one */
  readonly now: string | undefined
}

/**
 * Checks a world and builds its tables: whole or not at all.
 *
 * @throws UsageError that lists every fault with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson): LoadedWorld {
  const parsed = worldSchema.safeParse(json)
  if (!parsed.success) throw refusal(faultsOf(parsed.error, json))
  const world = parsed.data
  if (world.generate) {
    throw refusal([
      'generate: expected a world whose rows are all there. Fill it first: ' +
        "createSimulator({ world: generate(world) }) with generate from 'understudy-api/factories'.",
    ])
  }
  const faults = referenceFaults(world)
  if (faults.length > 0) throw refusal(faults)
  return { tables: withNextIds(toTables(toRows(world)), world), seed: world.seed, now: world.now }
}

function refusal(faults: readonly string[]): UsageError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new UsageError(`Failed to load the world: it has ${count}. Nothing was loaded.`, faults)
}

function toRows(world: ParsedWorld): Parameters<typeof toTables>[0] {
  const organizations = new Map(world.projects.map(({ id, organization }) => [id, organization]))
  return {
    ...world,
    repository: world.repository.map((entry, index) => ({ id: index + 1, ...entry })),
    annotations: world.annotations.map((row) => ({
      ...row,
      organization: organizations.get(row.project) as string,
    })),
  }
}

function withNextIds(tables: Tables, { next_ids }: ParsedWorld): Tables {
  for (const [list, id] of Object.entries(next_ids)) {
    if (id !== undefined) tables[list as CountedList].nextId = id
  }
  return tables
}
