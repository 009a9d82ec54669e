import { parseDateTime } from '../../utils/python/date-time.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { entities } from '../entities/entities.ts'
import type { Entity } from '../entities/entity.ts'
import type { RowPlace } from '../entities/field.ts'
import type { Rows } from '../rows.ts'
import { createTables, type ListName, type Tables, worldLists } from '../table/tables.ts'
import type { CountedList, WorldJson } from '../world-json.ts'

/** A loaded world: its rows, and the seed and time of generated values. */
export interface LoadedWorld {
  readonly tables: Tables
  readonly seed: number
  /** ISO 8601: the time around which rows are generated, if the world has one */
  readonly now: string | undefined
  /** The number of key values that are not issued again; default: 0 */
  readonly issued?: number | undefined
}

/**
 * Builds the tables of a valid world, without checks: for built-in worlds and worlds that this version saved. Rows are
 * completed when they are first used. They share the values of their fields with the world, which must not change
 * afterwards. Each list is referenced alone, so that the rest of the world can be freed.
 */
export function buildWorld(json: WorldJson): LoadedWorld {
  const lists = rowsToComplete(json).map(({ list, rows, complete }) => [
    list,
    () => rows.map(complete),
  ])
  return loadedWorld(json, createTables(Object.fromEntries(lists), lastRevision(json)))
}

interface RowsToComplete {
  readonly list: ListName
  readonly rows: object[]
  readonly complete: (row: object, index: number) => object
}

/** The rows of each list of a valid world, and how to complete them. */
export function rowsToComplete(world: WorldJson): RowsToComplete[] {
  const organizationOf = organizationsIn(world)
  return worldLists.map((list) => ({
    list,
    rows: (world[list] ?? []) as object[],
    complete: (row, index) => completions[list](row, { index, organizationOf }),
  }))
}

/** Returns a function that finds the organization of a project. */
export function organizationsIn({ projects = [] }: WorldJson): RowPlace['organizationOf'] {
  const organizations = new Map(projects.map(({ id, organization }) => [id, organization]))
  return (project) => organizations.get(project) as string
}

type Completion = (row: object, place: RowPlace) => object

const completions = Object.fromEntries(
  worldLists.map((list) => [list, createCompletion(entities[list])]),
) as Readonly<Record<ListName, Completion>>

/** Returns a function that completes copies of rows: with defaults, and with times in the format of the service. */
function createCompletion({ stored, create }: Entity): Completion {
  const computed = stored.filter(({ complete }) => complete)
  const choices = stored.filter(({ kind }) => kind === 'choice')
  const times = stored.filter(({ kind }) => kind === 'time')
  return (row, place) => {
    const completed = create(row) as Record<string, unknown>
    for (const { name, complete } of computed) {
      completed[name] ??= complete?.(completed as never, place)
    }
    // A parser gives each row texts of its own. Rows share their words, and a row shares equal times.
    for (const { name, values = [] } of choices) {
      completed[name] = values.find((value) => value === completed[name]) ?? completed[name]
    }
    let shared = ''
    for (const { name } of times) {
      if (completed[name] === null) continue
      const time = parseDateTime(completed[name] as string)
      if (time !== shared) shared = time
      completed[name] = shared
    }
    return completed
  }
}

/** Completes a row that is added to these tables. */
export function completeRowIn<List extends ListName>(
  { projects, repository }: Tables,
  list: List,
  row: object,
): Rows[List] {
  return completions[list](row, {
    index: repository.nextId - 1,
    organizationOf: (project) => projects.get(project)?.organization as string,
  }) as Rows[List]
}

/** The highest revision of a plugin. */
export function lastRevision({ plugins = [] }: WorldJson): number {
  return plugins.reduce((highest, { revision = 0 }) => Math.max(highest, revision), 0)
}

/** Gives tables what else a world has. */
export function loadedWorld(json: WorldJson, tables: Tables): LoadedWorld {
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now, issued: json.issued_keys }
}

/** The worlds that are part of the package, so that they need no file system. */
export type BuiltInWorld = 'default' | 'empty'

/** The worlds of the package. Those that are not built in are files. */
export type FixtureName = BuiltInWorld | 'odd' | 'crowded'

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
