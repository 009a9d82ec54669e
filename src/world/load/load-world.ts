import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import {
  countIssues,
  formatPath,
  type Issue,
  issuesError,
  issuesWithin,
  maxIssues,
  UsageError,
  unknownWord,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { parseDateTime } from '../../utils/python.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'
import { entities } from '../entities/entities.ts'
import type { Entity, FieldKind, RowFacts, WritingSettings } from '../entities/field.ts'
import type { ProjectRow, Rows } from '../rows.ts'
import { createRowTest, findFieldIssues, findReferenceIssues } from '../schema/row-issues.ts'
import { once, worldHeadSchema } from '../schema/world-schema.ts'
import { createTables, type ListName, type RowLists, type Tables, worldLists } from '../tables.ts'
import { toGivenRow } from '../world-format.ts'
import type { CountedList, PartialWorldJson, WorldJson } from '../world-json.ts'

/** A loaded world: its rows, and the seed and time of generated values. */
export interface LoadedWorld {
  readonly tables: Tables
  readonly seed: number
  /** ISO 8601: the time before which rows are generated, if the world has one */
  readonly now: string | undefined
}

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

/** The worlds that are part of the package, so that they need no file system. */
type BuiltInWorld = 'default' | 'empty'

/** The worlds of the package. Those that are not built in are files. */
export type FixtureName = BuiltInWorld | 'odd' | 'crowded'

const builtInWorlds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

/** Opened when they are first used. Rows never change: simulators share them, and those that one writes are its own. */
const openedWorlds: ReadonlyMap<string, () => LoadedWorld> = new Map(
  [...builtInWorlds].map(([name, json]) => [
    name,
    once(() => buildTrustedWorld(json as WorldJson)),
  ]),
)

type LoadFixture = () => Promise<{ readonly default: unknown }>

/** The fixtures that load on demand. They are modules, since a page has no files. */
const loadedFixtures: ReadonlyMap<string, LoadFixture> = new Map<string, LoadFixture>([
  ['odd', () => import('../../../fixtures/odd.json', { with: { type: 'json' } })],
  ['crowded', () => import('../../../fixtures/crowded.json', { with: { type: 'json' } })],
])

export const fixtureNames: readonly string[] = [...builtInWorlds.keys(), ...loadedFixtures.keys()]

export const builtInWorldNames: readonly string[] = [...builtInWorlds.keys()]

export function isBuiltInWorld(name: unknown): name is BuiltInWorld {
  return builtInWorlds.has(name as string)
}

export function isFixture(name: unknown): name is FixtureName {
  return fixtureNames.includes(name as string)
}

/** Reads a fixture as it is in its file, in Node and in a page. @throws UsageError for an unknown name */
async function readFixture(name: FixtureName) {
  const json = builtInWorlds.get(name) ?? (await loadedFixtures.get(name)?.())?.default
  if (json) return structuredClone(json) as PartialWorldJson
  const expected = `one of ${fixtureNames.join(', ')}, or a world as JSON`
  throw unknownWord('find the world', fixtureNames, name, null, expected)
}

/** It needs no schema, because a test checks it. @throws UsageError for an unknown name */
function openBuiltInWorld(name: FixtureName) {
  const open = openedWorlds.get(name)
  if (open) return open()
  const expected = `${builtInWorldNames.join(', ')} or a world as JSON`
  const error = unknownWord('find the world', builtInWorldNames, name, null, expected)
  const isFile = String(name).endsWith('.json')
  if (!isFile && !loadedFixtures.has(name)) throw error
  // A bundler resolves the import for a page. Node cannot import JSON without an attribute.
  const cure = isFile
    ? 'Read the file first: world:'
    : `Import ${name} from 'understudy-api/fixtures/${name}.json' and pass it, or in Node pass`
  throw new UsageError(
    `${error.message} ${cure} await readWorld('${name}'), with readWorld from 'understudy-api/node'.`,
  )
}

/**
 * Returns a world, or the one that a fixture names, with the rows that it asks the factories for. The factories are large,
 * so they load only then.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @throws UsageError for a world that the factories cannot complete
 */
export async function completeWorld(
  world: FixtureName | PartialWorldJson,
  seed?: number,
): Promise<WorldJson> {
  const json = typeof world === 'string' ? await readFixture(world) : world
  if (!json?.generate) return json as WorldJson
  const { generate } = await import('../factories/factories.ts')
  return generate(json, seed === undefined ? {} : { seed })
}

/**
 * Checks a world and builds its tables: all of it or nothing. Rows share nothing with the world.
 *
 * @throws UsageError that lists up to 100 issues with their paths
 */
export function loadWorld(json: WorldJson, settings?: WritingSettings): LoadedWorld {
  const { issues, lists } = checkWorld(json, settings)
  if (issues.length === 0) return createWorld(json, lists)
  const message = `Failed to load the world: ${countIssues(issues)}. Nothing was loaded.`
  throw issuesError(message + generateHint(issues, loadCure), issues)
}

/** What a simulator starts with: the name of a built-in world, a world as JSON, or the rows of another simulator. */
export type WorldSource = BuiltInWorld | WorldJson | Snapshot

/** @throws UsageError for an unknown name, or with up to 100 issues of a world as JSON */
export function openWorld(world: WorldSource, settings?: WritingSettings): LoadedWorld {
  if (typeof world !== 'object' || world === null) return openBuiltInWorld(world)
  return Snapshot.stateOf(world) ?? loadWorld(world as WorldJson, settings)
}

export function findWorldIssues(json: WorldJson, settings?: WritingSettings): Issue[] {
  return checkWorld(json, settings).issues
}

/** A checked world: its issues, and the rows of a world without issues, completed. */
interface CheckedWorld {
  readonly issues: Issue[]
  readonly lists: RowLists
}

function checkWorld(json: WorldJson, settings: WritingSettings): CheckedWorld {
  const { issues: ofRows, lists } = checkRows(isObject(json) ? json : {}, settings)
  const issues = [...headIssues(json), ...ofRows].slice(0, maxIssues)
  if (!isObject(json)) return { issues, lists }
  if (json.generate) {
    const present = issues.filter(({ isMissing }) => !isMissing)
    return { issues: present.length > 0 ? present : [needsFactories], lists }
  }
  // A field of a wrong type is one issue, not two.
  const places = new Set(issues.map(({ path }) => formatPath(path)))
  const dangling = findReferenceIssues(json).filter(({ path }) => !places.has(formatPath(path)))
  return { issues: [...issues, ...dangling].slice(0, maxIssues), lists }
}

/** The factories add what rows lack. */
const needsFactories: Issue = {
  path: ['generate'],
  text:
    'the factories must complete this world first: ' +
    "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'.",
}

const loadCure = `Pass generate(world) of 'understudy-api/factories', or send "generate": {},`

/** @param cure how to complete the rows of a world @returns an empty text if no row has a missing field */
export function generateHint(issues: readonly Issue[], cure: string): string {
  const isOfRow = ({ path }: Issue) => typeof path[1] === 'number' && path.length < 4
  if (!issues.some((issue) => issue.isMissing && isOfRow(issue))) return ''
  return ` ${cure} to generate the missing fields of its rows.`
}

function headIssues(json: WorldJson) {
  if (!isObject(json)) return schemaIssues(worldHeadSchema(), json)
  const lists = worldLists.filter((list) => Array.isArray(json[list]))
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  return schemaIssues(worldHeadSchema(), { ...json, ...empty })
}

/** Ends with the row of the last issue that is listed. */
function checkRows(json: WorldJson, settings: WritingSettings): CheckedWorld {
  const issues: Issue[] = []
  const complete = createRowCompletion()
  const lists: Record<string, object[]> = {}
  for (const list of worldLists) {
    const rows: unknown = json[list]
    const isValid = createRowTest(list, settings)
    const completedRows: object[] = []
    lists[list] = completedRows
    for (const [index, given] of Array.isArray(rows) ? rows.entries() : []) {
      if (issues.length >= maxIssues) break
      const row = isValid(given) ? given : toGivenRow(given)
      const rowIssues = findFieldIssues(list, row, settings, isValid)
      if (rowIssues.length === 0) completedRows.push(complete(list, row, index))
      else issues.push(...issuesWithin([list, index], rowIssues))
    }
  }
  return { issues, lists: lists as unknown as RowLists }
}

function buildTrustedWorld(json: WorldJson): LoadedWorld {
  const complete = createRowCompletion()
  const lists = worldLists.map((list) => [
    list,
    (json[list] ?? []).map((row, index) => complete(list, row, index)),
  ])
  return createWorld(json, Object.fromEntries(lists))
}

function createWorld(json: WorldJson, lists: RowLists): LoadedWorld {
  const lastRevision = lists.plugins.reduce((last, { revision }) => Math.max(last, revision), 0)
  const tables = createTables(lists, lastRevision)
  for (const [list, id] of Object.entries(json.next_ids ?? {})) {
    tables[list as CountedList].nextId = id
  }
  return { tables, seed: json.seed ?? 1, now: json.now }
}

function createRowCompletion(): (list: ListName, row: object, index: number) => object {
  const organizations = new Map<number, string>()
  const organizationOf = (project: number) => organizations.get(project) as string
  return (list, row, index) => {
    const completed = completions[list](row, { index, organizationOf })
    if (list === 'projects') {
      const { id, organization } = completed as ProjectRow
      organizations.set(id, organization)
    }
    return completed
  }
}

/** Completes a copy of a valid row: with what it does not say, and with times in the format of the service. */
type Completion = (row: object, facts: RowFacts) => object

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
  return (row, facts) => {
    const completed = create<Record<string, unknown>>(row as Record<string, unknown>)
    for (const { name, compute } of computed) {
      completed[name] ??= compute(completed as never, facts)
    }
    for (const { name } of times) {
      const time = completed[name]
      if (typeof time === 'string') completed[name] = parseDateTime(time)
    }
    for (const { name } of objects)
      if (completed[name]) completed[name] = JSON.parse(JSON.stringify(completed[name]))
    return completed
  }
}

export function completeRowIn<List extends ListName>(
  { projects, repository }: Tables,
  list: List,
  row: object,
): Rows[List] {
  const facts: RowFacts = {
    index: repository.nextId - 1,
    organizationOf: (project) => projects.get(project)?.organization as string,
  }
  return completions[list](row, facts) as Rows[List]
}
