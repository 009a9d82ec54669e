import type { Steps } from '../../utils/steps.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { worldLists } from '../table/lists.ts'
import { Table } from '../table/table.ts'
import { createTables, type Tables } from '../table/tables.ts'
import type { CountedList, WorldJson } from '../world-json.ts'
import { completeWorld, completeWorldInSteps } from './complete-rows.ts'

/** A loaded world: its rows, and the seed and time of generated values. */
export interface LoadedWorld {
  readonly tables: Tables
  readonly seed: number
  /** ISO 8601: the time around which rows are generated, if the world has one */
  readonly now: string | undefined
  /** The number of key values that are not issued again; default: 0 */
  readonly issued?: number | undefined
}

/** Builds the tables of a valid world, without checks: for built-in worlds and worlds that this version saved. */
export function buildWorld(json: WorldJson): LoadedWorld {
  return loadedWorld(json, createTables(completeWorld(json), lastRevision(json)))
}

/** The same in steps, with every list and index complete. Takes the rows of the world over. */
export function* buildWorldInSteps(json: WorldJson): Steps<LoadedWorld> {
  const rows = yield* completeWorldInSteps(json)
  const tables = createTables(rows, lastRevision(json))
  for (const list of worldLists) {
    const table = tables[list]
    if (table instanceof Table) yield* table.fill(rows[list]() as never)
  }
  return loadedWorld(json, tables)
}

function lastRevision({ plugins = [] }: WorldJson): number {
  return plugins.reduce((highest, { revision = 0 }) => Math.max(highest, revision), 0)
}

function loadedWorld(json: WorldJson, tables: Tables): LoadedWorld {
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now, issued: json.issued_keys }
}

/** The worlds that are part of the package, so that they need no file system. */
export type BuiltInWorld = 'default' | 'empty'

/** A snapshot of the rows. It never changes. */
export class Snapshot {
  readonly #state: LoadedWorld

  constructor(state: LoadedWorld) {
    this.#state = state
  }

  /** @throws UsageError for any other value */
  static stateOf(snapshot: Snapshot): LoadedWorld {
    if (typeof snapshot === 'object' && snapshot !== null && #state in snapshot)
      return snapshot.#state
    throw unexpectedValue('restore a snapshot', 'a result of simulator.snapshot()', snapshot)
  }
}
