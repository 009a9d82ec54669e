import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyInfo, PolicyOverrides } from '../policies/settings.ts'
import type { Actors } from '../sandbox/actors/actors.ts'
import type { Faults } from '../sandbox/faults/faults.ts'
import type { Snapshots } from '../sandbox/snapshots.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AddedIds, NewRows } from '../world/edit/add-rows.ts'
import type { AnnotationQuery, FoundRows, RowQuery, Timeline } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { Keys } from '../world/keys.ts'
import type { WorldJson } from '../world/world-json.ts'

/** The world of a simulator in another process. */
export interface RemoteWorld {
  /** Returns the whole world, in the format of fixtures. */
  read(): Promise<WorldJson>
  /**
   * Replaces the whole world. The server generates the rows that `generate` asks for. An invalid world changes nothing.
   *
   * @returns the number of rows in each list
   */
  replace(world: WorldJson): Promise<Record<string, number>>
  /** Adds rows, all or none. Missing fields get defaults. */
  add(rows: NewRows): Promise<AddedIds>
  /** Adds generated rows, by the number for each list. */
  generate(counts: RowCounts): Promise<AddedIds>
  /** Finds rows of a list, including deleted annotations. */
  find<List extends keyof AccessibleRows>(
    list: List,
    query?: RowQuery,
  ): Promise<FoundRows<AccessibleRows[List]>>
  /** Returns a row, or undefined if it does not exist. */
  get<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
  ): Promise<AccessibleRows[List] | undefined>
  /** Updates fields of a row directly, without the checks of the API. */
  update<List extends keyof AccessibleRows>(
    list: List,
    id: number | string,
    changes: Partial<AccessibleRows[List]>,
  ): Promise<AccessibleRows[List]>
  /** Removes a row from the world. Returns false if it does not exist. */
  delete(list: keyof AccessibleRows, id: number | string): Promise<boolean>
  /** Counts annotations by date_marker and scope. */
  timeline(query?: AnnotationQuery): Promise<Timeline>
}

/** The snapshots of a simulator in another process. */
export type RemoteSnapshots = Promisified<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'get' | 'import' | 'delete'>
>

/** The clock of a simulator in another process. */
export type RemoteClock = Promisified<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

/** The API keys of a simulator in another process. */
export type RemoteKeys = Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>

/** The fault rules of a simulator in another process. */
export type RemoteFaults = Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

/** The second actors of a simulator in another process. */
export type RemoteActors = Promisified<Pick<Actors, 'add' | 'list' | 'remove' | 'clear'>>

/** The policies of a simulator in another process. */
export interface RemotePolicies {
  list(): Promise<PolicyInfo[]>
  get<Id extends PolicyId>(id: Id): Promise<PolicySetting<Id>>
  set(overrides: PolicyOverrides): Promise<void>
}

/** The same methods, each of which returns a promise. */
export type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}
