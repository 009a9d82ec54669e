import type { RowCounts } from '../rows/generate-rows.ts'
import type { AddedIds, NewRows } from '../rows/new-rows.ts'
import type { FoundRows } from '../world/find-rows.ts'
import type { AccessibleRows } from '../world/row-defaults.ts'
import type { AnnotationQuery, RowQuery } from '../world/row-query.ts'
import type { Timeline } from '../world/timeline.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { ControlClient } from './line.ts'

/** The rows of a simulator. */
export interface RemoteWorld {
  /** The whole world, in the format of fixtures. */
  read(): Promise<WorldJson>
  /**
   * Begins anew from another world, whole or not at all; `generate` in it is filled by the server.
   *
   * @returns how many rows each list has
   */
  replace(world: WorldJson): Promise<Record<string, number>>
  /** Adds rows, all or none; what they leave out gets a default. */
  add(rows: NewRows): Promise<AddedIds>
  /** Adds so many rows to some lists, made by the factories. */
  generate(counts: RowCounts): Promise<AddedIds>
  /** Some rows of a list, deleted annotations included. */
  find<List extends keyof AccessibleRows>(
    list: List,
    query?: RowQuery,
  ): Promise<FoundRows<AccessibleRows[List]>>
  /** One row; undefined where there is none. */
  get<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
  ): Promise<AccessibleRows[List] | undefined>
  /** Changes what is given, without a request: no key, no policy. */
  update<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
    changes: Partial<AccessibleRows[List]>,
  ): Promise<AccessibleRows[List]>
  /** Takes a row out for good; false where there is none. */
  delete(list: keyof AccessibleRows, id: number | string): Promise<boolean>
  /** How many annotations lie in which time, scope by scope. */
  timeline(query?: AnnotationQuery): Promise<Timeline>
}

export function remoteWorld(line: ControlClient): RemoteWorld {
  return {
    read: () => line.call('readWorld'),
    replace: (body) => line.call('replaceWorld', { body }),
    add: (body) => line.call('addRows', { body }),
    generate: (body) => line.call('addGenerated', { body }),
    find: (list, query = {}) => line.call('listRows', { params: { list }, query }),
    get: (list, id) => line.callOrUndefined('retrieveRow', { params: { list, id } }),
    update: (list, id, body) => line.call('updateRow', { params: { list, id }, body }),
    delete: (list, id) => line.remove('deleteRow', { list, id }),
    timeline: (query = {}) => line.call('readTimeline', { query }),
  }
}
