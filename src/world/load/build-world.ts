import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { createTables, type Tables } from '../table/tables.ts'
import type { CountedList, WorldJson } from '../world-json.ts'
import { completeWorld } from './complete-rows.ts'

/** Builds the tables of a world that is known to have no faults, as our own fixtures are, and what we have saved. */
export function buildWorld(json: WorldJson): LoadedWorld {
  const written = (json.plugins ?? []).reduce((last, row) => Math.max(last, row.revision ?? 0), 0)
  const tables = createTables(completeWorld(json), written)
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now, issued: json.issued_keys }
}

/** The fixtures that need no file system: they are part of the code. */
export type BuiltInWorld = 'default' | 'empty'

const builtInWorlds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

/** The names of the fixtures that need no file system. */
export const builtInWorldNames: readonly string[] = [...builtInWorlds.keys()]

/** Whether a name is that of a fixture that needs no file system. */
export function isBuiltInWorld(name: string): name is BuiltInWorld {
  return builtInWorlds.has(name)
}

/** The world of a name, ready for use. @throws UsageError for a name that no built-in fixture has */
export function openBuiltInWorld(name: BuiltInWorld): LoadedWorld {
  const found = builtInWorlds.get(name)
  // Our own fixtures are checked by a test, so that a simulator begins without reading a schema.
  if (found) return buildWorld(found as WorldJson)
  throw unexpectedValue(
    'find the world',
    `${builtInWorldNames.join(', ')} or a world as JSON (other fixtures are files: ` +
      "await readWorld('odd'), with readWorld from 'understudy-api/node')",
    name,
    didYouMean(String(name), builtInWorldNames),
  )
}

/** A state of the rows to come back to. What is in it nobody can change. */
export class Snapshot {
  readonly #state: LoadedWorld

  constructor(state: LoadedWorld) {
    this.#state = state
  }

  /** @throws UsageError for what is no snapshot */
  static stateOf(snapshot: Snapshot): LoadedWorld {
    if (typeof snapshot === 'object' && snapshot !== null && #state in snapshot)
      return snapshot.#state
    throw unexpectedValue('restore a snapshot', 'what simulator.snapshot() gave', snapshot)
  }
}

/** A world ready for use: its rows, and what everything generated in it follows from. */
export interface LoadedWorld {
  readonly tables: Tables
  readonly seed: number
  /** ISO 8601; the time that generated rows refer to, where the world says one */
  readonly now: string | undefined
  /** How many values for keys are not made again; 0 when missing */
  readonly issued?: number | undefined
}
