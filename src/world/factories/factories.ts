import * as z from 'zod'
import { issuesError, schemaIssues } from '../../utils/errors.ts'
import { checkOptions, optionsSchema } from '../../utils/options.ts'
import { rowSchemas, timeSchema } from '../schema/world-schema.ts'
import { type ListName, worldLists } from '../tables.ts'
import { toGivenRow } from '../world-format.ts'
import type { PartialRow, Row, WorldJson } from '../world-json.ts'
import { defaultNow, defaultSeed, RowGenerator } from './row-generator.ts'

/** The options of `factories`. */
export interface FactoriesOptions {
  /** The seed of generated values; default: 1 */
  readonly seed?: number
  /** ISO 8601: the time around which dates are generated; default: 2024-06-15T12:00:00Z */
  readonly now?: string
}

const factoriesSchema = optionsSchema<FactoriesOptions>({ seed: z.int(), now: timeSchema })

/** Creates a complete, valid row from some of its fields. Ids are counted up. @throws UsageError */
export type Factory<List extends ListName> = (fields?: PartialRow<List>) => Row<List>

/** A function for each kind of row. */
export interface Factories {
  readonly organization: Factory<'organizations'>
  readonly project: Factory<'projects'>
  readonly user: Factory<'users'>
  readonly key: Factory<'keys'>
  readonly dashboard_item: Factory<'dashboard_items'>
  readonly repository_entry: Factory<'repository'>
  readonly plugin: Factory<'plugins'>
  readonly plugin_config: Factory<'plugin_configs'>
  readonly annotation: Factory<'annotations'>
  readonly activity: Factory<'activity'>
  /** Returns all rows created so far, including the rows that they reference, as a world. */
  readonly world: () => WorldJson
}

/**
 * Creates factories of single rows for tests. A row without a project, user and so on gets the first one that was
 * created here, or a new one.
 *
 * @throws UsageError for a seed that is not a whole number, or a `now` that is not a time
 * @example
 * const create = factories({ seed: 7 })
 * create.annotation({ content: 'Launch' }) // { id: 1, content: 'Launch', date_marker: '2024-…', … }
 * createSimulator({ world: create.world() })
 */
export function factories(options: FactoriesOptions = {}): Factories {
  checkOptions(factoriesSchema, options, 'create factories')
  const { seed = defaultSeed, now = defaultNow } = options
  const generator = new RowGenerator({ seed, now })

  function factory<List extends ListName>(kind: string, list: List): Factory<List> {
    const schema = z.strictObject({ [kind]: rowSchemas()[list].partial() })
    return (fields = {}) => {
      const given = toGivenRow(fields)
      const issues = schemaIssues(schema, { [kind]: given })
      if (issues.length > 0) throw issuesError(`Failed to create a row of ${list}.`, issues)
      return structuredClone(generator.toJson(list, generator.create(list, structuredClone(given))))
    }
  }

  return {
    organization: factory('organization', 'organizations'),
    project: factory('project', 'projects'),
    user: factory('user', 'users'),
    key: factory('key', 'keys'),
    dashboard_item: factory('dashboard_item', 'dashboard_items'),
    repository_entry: factory('repository_entry', 'repository'),
    plugin: factory('plugin', 'plugins'),
    plugin_config: factory('plugin_config', 'plugin_configs'),
    annotation: factory('annotation', 'annotations'),
    activity: factory('activity', 'activity'),
    world() {
      const lists = worldLists.filter((list) => generator.count(list) > 0)
      const rows = Object.fromEntries(lists.map((list) => [list, generator.list(list)]))
      return structuredClone({ now, seed, ...rows })
    },
  }
}
