import * as z from 'zod'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { countIssues, type Issue, issuesError } from '../../utils/errors.ts'
import { checkOptions, optionsSchema } from '../../utils/options.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'
import { findReferenceIssues, findRepeatedIds } from '../schema/row-issues.ts'
import { rowSchemas, timeSchema, writtenWorldSchema } from '../schema/world-schema.ts'
import { type ListName, worldLists } from '../tables.ts'
import { toGivenLists, toGivenRow } from '../world-format.ts'
import type { CountedList, PartialRow, PartialWorldJson, Row, WorldJson } from '../world-json.ts'
import { RowGenerator } from './row-generator.ts'

const defaultNow = '2024-06-15T12:00:00Z'

const defaultSeed = 1

/** The options of `factories`. */
export interface FactoriesOptions {
  /** The seed of generated values; default: 1 */
  readonly seed?: number
  /** ISO 8601: the time before which dates are generated; default: 2024-06-15T12:00:00Z */
  readonly now?: string
}

const factoriesSchema = optionsSchema<FactoriesOptions>({ seed: z.int(), now: timeSchema })

/** Creates a complete, valid row from some of its fields. Ids are counted up. @throws UsageError */
type Factory<List extends ListName> = (fields?: PartialRow<List>) => Row<List>

const kinds = {
  organization: 'organizations',
  project: 'projects',
  user: 'users',
  key: 'keys',
  dashboard_item: 'dashboard_items',
  repository_entry: 'repository',
  plugin: 'plugins',
  plugin_config: 'plugin_configs',
  annotation: 'annotations',
  activity: 'activity',
} as const satisfies Readonly<Record<string, ListName>>

type RowFactories = { readonly [Kind in keyof typeof kinds]: Factory<(typeof kinds)[Kind]> }

/** A function for each kind of row. */
export interface Factories extends RowFactories {
  /** Returns all rows created so far, as a world: also those that they reference by fields that were left out. */
  readonly world: () => WorldJson
}

/**
 * Creates factories of single rows for tests. A row without a project, user and so on gets the first one that was
 * created here, or else a new one, or null where a row can be without.
 *
 * @throws UsageError for a seed that is not a whole number, or a `now` that is not a time
 * @example
 * const create = factories({ seed: 7 })
 * create.annotation({ content: 'Launch' }) // { id: 1, content: 'Launch', date_marker: '2023-…', … }
 * createSimulator({ world: create.world() })
 */
export function factories(options: FactoriesOptions = {}): Factories {
  checkOptions(factoriesSchema, options, 'create factories')
  const { seed = defaultSeed, now = defaultNow } = options
  const generator = new RowGenerator({ seed, now })

  function factory<List extends ListName>(kind: string, list: List): Factory<List> {
    const schema = z.strictObject({ [kind]: rowSchemas()[list].partial() })
    return (fields = {}) => {
      const input = toGivenRow(fields)
      const issues = schemaIssues(schema, { [kind]: input })
      if (issues.length > 0) throw issuesError(`Failed to create a row of ${list}.`, issues)
      return structuredClone(generator.toJson(list, generator.create(list, structuredClone(input))))
    }
  }

  const all = Object.entries(kinds).map(([kind, list]) => [kind, factory(kind, list)])
  return {
    ...(Object.fromEntries(all) as RowFactories),
    world() {
      const lists = worldLists.filter((list) => generator.count(list) > 0)
      const rows = Object.fromEntries(lists.map((list) => [list, generator.list(list)]))
      return structuredClone({ now, seed, ...rows })
    },
  }
}

/** The options of `generate`. */
export interface GenerateOptions {
  /** The seed of generated values; default: the seed of the world, else 1 */
  readonly seed?: number
}

const generateSchema = optionsSchema<GenerateOptions>({ seed: z.int() })

/**
 * Completes a world. Missing fields of rows get realistic values, and the rows that `generate` counts are added, spread
 * over the existing projects and users. Existing fields do not change. A list of organizations, projects or users
 * that is left out and not counted gets the first row of the world `default`, and missing keys are those of that world, such as `phx_all`.
 * The same world and seed always give the same rows. With a higher count of a list, its first rows stay the same.
 *
 * @throws UsageError with up to 100 issues of the fields, else of repeated ids, else of the references, each with its path
 * @example createSimulator({ world: generate({ generate: { annotations: 5000 } }, { seed: 7 }) })
 */
export function generate(world: PartialWorldJson, options: GenerateOptions = {}): WorldJson {
  checkOptions(generateSchema, options, 'generate rows')
  const json = toGivenLists(world)
  throwIssues(schemaIssues(writtenWorldSchema(), json))
  throwIssues(findRepeatedIds(json as WorldJson))
  const { $schema, generate: counts = {}, ...input } = structuredClone(json)
  const seed = options.seed ?? input.seed
  const now = input.now ?? defaultNow
  const nextIds = firstFreeIds(input)
  const generator = new RowGenerator({ seed: seed ?? defaultSeed, now, nextIds })
  for (const list of worldLists) {
    const rows: readonly PartialRow<ListName>[] | undefined = input[list]
    for (const row of rows ?? []) generator.create(list, row)
    const count = counts[list as keyof typeof counts] ?? 0
    for (let index = 0; index < count; index++) generator.create(list, {}, index)
    const isMissing = rows === undefined && generator.count(list) === 0
    if (isMissing) for (const row of defaultRows(list, generator)) generator.create(list, row)
  }

  const lists = worldLists.filter((list) => input[list] !== undefined || generator.count(list) > 0)
  const completed = {
    ...($schema !== undefined && { $schema }),
    ...input,
    now,
    ...(seed !== undefined && { seed }),
    ...(input.next_ids && { next_ids: generator.nextIds(Object.keys(input.next_ids)) }),
    ...Object.fromEntries(lists.map((list) => [list, generator.list(list)])),
  } as WorldJson
  throwIssues(findReferenceIssues(completed))
  return completed
}

function throwIssues(issues: readonly Issue[]) {
  if (issues.length === 0) return
  const message = `Failed to generate the world: ${countIssues(issues)}. Nothing was generated.`
  throw issuesError(message, issues)
}

/**
 * The rows that a world without this list gets, because it needs them to answer requests: rows of the world `default`,
 * which refer to the rows that the world has.
 */
function defaultRows(list: ListName, generator: RowGenerator): readonly PartialRow<ListName>[] {
  const { keys = [], organizations = [], projects = [], users = [] } = defaultWorld as WorldJson
  const [project] = generator.list('projects')
  if (list === 'organizations') return organizations
  if (list === 'projects') return [{ ...projects[0], organization: undefined }]
  if (list === 'users') return [{ ...users[0], organizations: undefined }]
  if (list !== 'keys') return []
  return keys.flatMap((key) => {
    const own = { ...key, user: undefined }
    if (!key.projects?.length) return own
    return project ? { ...own, projects: [project.id] } : []
  })
}

/** The first id after the ids of existing rows, but not below `next_ids`. */
function firstFreeIds({ next_ids = {}, ...lists }: PartialWorldJson): { [list: string]: number } {
  return Object.fromEntries(
    worldLists.map((list) => {
      let nextId = Math.max(1, next_ids[list as CountedList] ?? 1)
      for (const { id } of (lists[list] ?? []) as readonly { id?: unknown }[]) {
        if (typeof id === 'number') nextId = Math.max(nextId, id + 1)
      }
      return [list, nextId]
    }),
  )
}
