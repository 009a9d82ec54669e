import {
  countIssues,
  formatPath,
  type Issue,
  inspectValue,
  issuesError,
  issuesWithin,
  maxIssues,
  schemaIssues,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { version } from '../../utils/version.ts'
import type { WritingSettings } from '../entities/field.ts'
import { createRowTest, findFieldIssues, findReferenceIssues } from '../schema/row-issues.ts'
import { worldHeadSchema } from '../schema/world-schema.ts'
import { type RowLists, worldLists } from '../tables.ts'
import { formatVersion, toGivenRow } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import {
  type BuiltInWorld,
  createRowCompletion,
  createWorld,
  type LoadedWorld,
  Snapshot,
} from './build-world.ts'
import { openBuiltInWorld } from './built-in-worlds.ts'

/**
 * Checks a world and builds its tables: all of it or nothing. Rows share nothing with the world.
 *
 * @throws UsageError that lists every issue with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson, settings?: WritingSettings): LoadedWorld {
  const { issues, lists } = checkWorld(json, settings)
  if (issues.length === 0) return createWorld(json, lists)
  const message = `Failed to load the world: ${countIssues(issues)}. Nothing was loaded.`
  throw issuesError(message + generateHint(issues, 'the world'), issues)
}

/** What a simulator starts with: the name of a built-in world, a world as JSON, or the rows of another simulator. */
export type WorldSource = BuiltInWorld | WorldJson | Snapshot

/** Opens a world. @throws UsageError for an unknown name, or with every issue of a world as JSON */
export function openWorld(world: WorldSource, settings?: WritingSettings): LoadedWorld {
  if (typeof world !== 'object' || world === null) return openBuiltInWorld(world)
  return Snapshot.stateOf(world) ?? loadWorld(world as WorldJson, settings)
}

/** Finds every issue of a world, up to {@link maxIssues}. */
export function findWorldIssues(json: WorldJson, settings?: WritingSettings): Issue[] {
  return checkWorld(json, settings).issues
}

/** A checked world: its issues, and the rows of a world without issues, completed. */
interface CheckedWorld {
  readonly issues: Issue[]
  readonly lists: RowLists
}

const noRows = Object.fromEntries(worldLists.map((list) => [list, []])) as unknown as RowLists

function checkWorld(json: WorldJson, settings: WritingSettings): CheckedWorld {
  const versionIssues = formatVersionIssues(json)
  if (versionIssues.length > 0) return { issues: versionIssues, lists: noRows }
  if (!isObject(json)) return { issues: schemaIssues(worldHeadSchema(), json), lists: noRows }
  const { issues: ofRows, lists } = checkRows(json, settings)
  const issues = [...headIssues(json), ...ofRows].slice(0, maxIssues)
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

/** Says how to complete the rows of a world. @returns an empty text if no row has a missing field */
export function generateHint(issues: readonly Issue[], world: string): string {
  const isOfRow = ({ path }: Issue) => typeof path[1] === 'number' && path.length < 4
  if (!issues.some((issue) => issue.isMissing && isOfRow(issue))) return ''
  return ` Add "generate": {} to ${world} to generate the missing fields of its rows.`
}

/** Checks the format version before anything else, because a later format can give the same fields another meaning. */
export function formatVersionIssues(world: unknown): Issue[] {
  const value = (world as { format_version?: unknown } | null | undefined)?.format_version
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= formatVersion) return []
  const text =
    `expected at most ${formatVersion}, got ${inspectValue(value)}. A later version of ` +
    `understudy-api wrote this file. Update understudy-api ${version}, or save the world with this version.`
  return [{ path: ['format_version'], text }]
}

/** The issues of everything but the rows. */
function headIssues(json: WorldJson): Issue[] {
  const lists = worldLists.filter((list) => Array.isArray(json[list]))
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  return schemaIssues(worldHeadSchema(), { ...json, ...empty })
}

/** Checks and completes the rows of all lists. Ends with the row of the last issue that is listed. */
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
