import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyInfo, PolicyOverrides } from '../policies/settings.ts'
import type { Actors } from '../sandbox/actors/actors.ts'
import type { Faults } from '../sandbox/faults/faults.ts'
import type { Snapshots } from '../sandbox/snapshots.ts'
import type { Clock } from '../world/clock/clock.ts'
import { type ClockModeAndTime, parseClockSetting } from '../world/clock/clock.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AddedIds, NewRows } from '../world/edit/add-rows.ts'
import type { AnnotationQuery, FoundRows, RowQuery, Timeline } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { Keys } from '../world/keys.ts'
import type { KeyRow } from '../world/rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { ControlClient } from './client.ts'

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

export function remoteWorld(client: ControlClient): RemoteWorld {
  return {
    read: () => client.call('readWorld'),
    replace: (body) => client.call('replaceWorld', { body }),
    add: (body) => client.call('addRows', { body }),
    generate: (body) => client.call('addGenerated', { body }),
    find: (list, query = {}) => client.call('listRows', { params: { list }, query }),
    get: (list, id) => client.callOrUndefined('retrieveRow', { params: { list, id } }),
    update: (list, id, body) => client.call('updateRow', { params: { list, id }, body }),
    delete: (list, id) => client.remove('deleteRow', { list, id }),
    timeline: (query = {}) => client.call('readTimeline', { query }),
  }
}

/** The snapshots of a simulator in another process. */
export type RemoteSnapshots = Promisified<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'get' | 'import' | 'delete'>
>

export function remoteSnapshots(client: ControlClient): RemoteSnapshots {
  const list: RemoteSnapshots['list'] = () => client.call('listSnapshots')
  return {
    list,
    save: (name) => client.call('createSnapshot', { body: { name } }),
    has: async (name) => (await list()).some((snapshot) => snapshot.name === name),
    restore: (name) => client.call('restoreSnapshot', { params: { name } }),
    get: (name) => client.callOrUndefined('retrieveSnapshot', { params: { name } }),
    import: (name, file) => client.call('importSnapshot', { params: { name }, body: file }),
    delete: (name) => client.remove('deleteSnapshot', { name }),
  }
}

/** The clock of a simulator in another process. */
export type RemoteClock = Promisified<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

export function remoteClock(client: ControlClient): RemoteClock {
  const set = async (body: ClockModeAndTime): Promise<void> => {
    await client.call('setClock', { body })
  }
  return {
    read: () => client.call('readClock'),
    set: async (setting) => set(parseClockSetting(setting)),
    tick: (time) => set({ mode: 'ticking', ...(time !== undefined && { time }) }),
    freeze: () => set({ mode: 'frozen' }),
    release: () => set({ mode: 'real' }),
    async advance(body) {
      await client.call('advanceClock', { body })
    },
  }
}

/** The API keys of a simulator in another process. */
export type RemoteKeys = Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>

export function remoteKeys(client: ControlClient): RemoteKeys {
  return {
    list: () => client.call('listKeys'),
    issue: async (body = {}) => (await client.call<KeyRow>('issueKey', { body })).value,
    revoke: (value) => client.remove('revokeKey', { value }),
  }
}

/** The fault rules of a simulator in another process. */
export type RemoteFaults = Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteFaults(client: ControlClient): RemoteFaults {
  return {
    add: (body) => client.call('addFaults', { body }),
    list: () => client.call('listFaults'),
    remove: (id) => client.remove('removeFault', { id }),
    clear: () => client.call('clearFaults'),
  }
}

/** The second actors of a simulator in another process. */
export type RemoteActors = Promisified<Pick<Actors, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteActors(client: ControlClient): RemoteActors {
  return {
    add: (body) => client.call('addActor', { body }),
    list: () => client.call('listActors'),
    remove: (id) => client.remove('removeActor', { id }),
    clear: () => client.call('clearActors'),
  }
}

/** The policies of a simulator in another process. */
export interface RemotePolicies {
  list(): Promise<PolicyInfo[]>
  get<Id extends PolicyId>(id: Id): Promise<PolicySetting<Id>>
  set(overrides: PolicyOverrides): Promise<void>
}

export function remotePolicies(client: ControlClient): RemotePolicies {
  const list = (): Promise<PolicyInfo[]> => client.call('listPolicies')
  return {
    list,
    get: async <Id extends PolicyId>(id: Id) =>
      (await list()).find((policy) => policy.id === id)?.setting as PolicySetting<Id>,
    async set(body) {
      await client.call('setPolicies', { body })
    },
  }
}

/** The same methods, each of which returns a promise. */
export type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}
