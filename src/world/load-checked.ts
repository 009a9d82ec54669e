import { completeWorld } from './complete.ts'
import type { LoadedWorld } from './load.ts'
import { createTables } from './tables.ts'
import type { CountedList, WorldJson } from './world-json.ts'

/** Builds the tables of a world that is known to have no faults, as our own fixtures are, and what we have saved. */
export function buildWorld(json: WorldJson): LoadedWorld {
  const written = (json.plugins ?? []).reduce((last, row) => Math.max(last, row.revision ?? 0), 0)
  const tables = createTables(completeWorld(json), written)
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now, issued: json.issued_keys }
}
