import * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { worldLists } from '../table/lists.ts'
import type { WorldJson } from '../world-json.ts'
import type { FactoryRows, ListName, PartialRow } from './partial-rows.ts'
import { partialRowSchema } from './partial-rows.ts'
import { checkSeed, defaultNow, defaultSeed, parseNow, RowGenerator } from './row-generator.ts'

/** What rows made for tests follow from. */
export interface FactoriesOptions {
  /** What all rows follow from; 1 when missing. */
  readonly seed?: number
  /** ISO 8601: what dates lie around; 2024-06-15T12:00:00Z when missing. */
  readonly now?: string
}

/** Makes one row, complete and valid: what is given stays, ids are counted up. @throws UsageError */
export type Factory<List extends ListName> = (given?: PartialRow<List>) => FactoryRows[List]

/** One function for each kind of row. */
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
  /** All rows made so far, with those made along with them, as a world. */
  readonly world: () => WorldJson
}

/**
 * Makes single rows for tests. A row that does not say where it belongs goes to the first project, user and so
 * on that was made here, which is made with it where there is none.
 *
 * @throws UsageError for a seed that is no whole number, or a `now` that is no time
 * @example
 * const make = factories({ seed: 7 })
 * make.annotation({ content: 'Launch' }) // { id: 1, content: 'Launch', date_marker: '2024-…', … }
 * createSimulator({ world: make.world() })
 */
export function factories({
  seed = defaultSeed,
  now = defaultNow,
}: FactoriesOptions = {}): Factories {
  const maker = new RowGenerator({ seed: checkSeed(seed), now: parseNow(now), nextIds: {} })

  function factory<List extends ListName>(kind: string, list: List): Factory<List> {
    const schema = z.strictObject({ [kind]: partialRowSchema(list) })
    return (given = {}) => {
      const parsed = schema.safeParse({ [kind]: given }, suggestFields)
      if (parsed.success) return structuredClone(maker.create(list, structuredClone(given)))
      throw new UsageError(`Failed to make a row: expected fields of ${list}. Change these:`, [
        ...describeIssues(parsed.error, { [kind]: given }),
      ])
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
      const made = worldLists.filter((list) => maker.rows[list].length > 0)
      const lists = Object.fromEntries(made.map((list) => [list, maker.rows[list]]))
      return structuredClone({ now, seed, ...lists })
    },
  }
}
