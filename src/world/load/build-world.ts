import { parseDateTime } from '../../utils/python.ts'
import { entities } from '../entities/entities.ts'
import type { Entity, FieldKind, RowFacts } from '../entities/field.ts'
import type { ProjectRow, Rows } from '../rows.ts'
import { createTables, type ListName, type RowLists, type Tables, worldLists } from '../tables.ts'
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

/** Builds the tables of a valid world, without checks. Rows share nothing with the world. */
export function buildTrustedWorld(json: WorldJson): LoadedWorld {
  const complete = createRowCompletion()
  const lists = worldLists.map((list) => [
    list,
    (json[list] ?? []).map((row, index) => complete(list, row, index)),
  ])
  return createWorld(json, Object.fromEntries(lists))
}

/** Creates the tables of completed rows. */
export function createWorld(json: WorldJson, lists: RowLists): LoadedWorld {
  const lastRevision = lists.plugins.reduce((last, { revision }) => Math.max(last, revision), 0)
  const tables = createTables(lists, lastRevision)
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now, issued: json.issued_keys }
}

/** Returns a function that completes copies of the rows of one world, list by list. */
export function createRowCompletion(): (list: ListName, row: object, index: number) => object {
  const organizations = new Map<number, string>()
  const organizationOf = (project: number) => organizations.get(project) as string
  const times = new Map<string, { readonly text: string; readonly time: string }>()
  // Most times are those of the row before: they share one text.
  const timeOf = (text: string, field: string) => {
    const known = times.get(field)
    if (known?.text === text) return known.time
    const time = parseDateTime(text)
    times.set(field, { text, time })
    return time
  }
  return (list, row, index) => {
    const completed = completions[list](row, { index, organizationOf }, timeOf)
    if (list === 'projects') {
      const { id, organization } = completed as ProjectRow
      organizations.set(id, organization)
    }
    return completed
  }
}

/** Completes a copy of a valid row: with what it does not say, and with times in the format of the service. */
type Completion = (
  row: object,
  facts: RowFacts,
  timeOf: (text: string, field: string) => string,
) => object

/** The kinds of values that can change. */
const copied: readonly FieldKind[] = ['references', 'scopes', 'json', 'object', 'versions']

const completions = Object.fromEntries(
  worldLists.map((list) => [list, createCompletion(entities[list])]),
) as Readonly<Record<ListName, Completion>>

function createCompletion({ stored, create }: Entity): Completion {
  const computed = stored.flatMap(({ name, inFiles, usual }) =>
    inFiles !== undefined && typeof usual === 'function' ? [{ name, compute: usual }] : [],
  )
  const times = stored.filter(({ kind }) => kind === 'time')
  const objects = stored.filter(({ kind }) => copied.includes(kind))
  return (row, facts, timeOf) => {
    const completed = create<Record<string, unknown>>(row as Record<string, unknown>)
    for (const { name, compute } of computed) {
      completed[name] ??= compute(completed as never, facts)
    }
    for (const { name } of times) {
      const time = completed[name]
      if (typeof time === 'string') completed[name] = timeOf(time, name)
    }
    for (const { name } of objects) completed[name] = structuredClone(completed[name])
    return completed
  }
}

/** Completes a copy of a row that is added to these tables. */
export function completeRowIn<List extends ListName>(
  { projects, repository }: Tables,
  list: List,
  row: object,
): Rows[List] {
  const facts: RowFacts = {
    index: repository.nextId - 1,
    organizationOf: (project) => projects.get(project)?.organization as string,
  }
  return completions[list](row, facts, parseDateTime) as Rows[List]
}

/** The worlds that are part of the package, so that they need no file system. */
export type BuiltInWorld = 'default' | 'empty'

/** The worlds of the package. Those that are not built in are files. */
export type FixtureName = BuiltInWorld | 'odd' | 'crowded'

/** A snapshot of the rows. It never changes. */
export class Snapshot {
  readonly #state: LoadedWorld

  /** @internal */
  constructor(state: LoadedWorld) {
    this.#state = state
  }

  /** The rows of a snapshot. Null for any other value @internal */
  static stateOf(value: unknown): LoadedWorld | null {
    return typeof value === 'object' && value !== null && #state in value ? value.#state : null
  }
}
