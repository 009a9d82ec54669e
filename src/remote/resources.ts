import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyOverrides } from '../policies/settings.ts'
import type { PolicyInfo } from '../policies/simulator-policies.ts'
import type { Actors } from '../sandbox/actors/actors.ts'
import type { Faults } from '../sandbox/faults/faults.ts'
import type { Snapshots } from '../sandbox/snapshots.ts'
import type { Clock } from '../world/clock/clock.ts'
import { type ClockModeAndTime, parseClockSetting } from '../world/clock/clock-setting.ts'
import type { AccessibleRows } from '../world/defaults.ts'
import type { AnnotationQuery, FoundRows, RowQuery } from '../world/edit/find-rows.ts'
import type { RowCounts } from '../world/edit/generate-rows.ts'
import type { AddedIds, NewRows } from '../world/edit/row-changes.ts'
import type { Timeline } from '../world/edit/timeline.ts'
import type { Keys } from '../world/keys.ts'
import type { KeyRow } from '../world/rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { ControlClient } from './client.ts'

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

/** The snapshots of a simulator in another process, as in-process. */
export type RemoteSnapshots = Promisified<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'get' | 'import' | 'delete'>
>

export function remoteSnapshots(line: ControlClient): RemoteSnapshots {
  const list: RemoteSnapshots['list'] = () => line.call('listSnapshots')
  return {
    list,
    save: (name) => line.call('createSnapshot', { body: { name } }),
    has: async (name) => (await list()).some((snapshot) => snapshot.name === name),
    restore: (name) => line.call('restoreSnapshot', { params: { name } }),
    get: (name) => line.callOrUndefined('retrieveSnapshot', { params: { name } }),
    import: (name, file) => line.call('importSnapshot', { params: { name }, body: file }),
    delete: (name) => line.remove('deleteSnapshot', { name }),
  }
}

/** The clock of a simulator in another process, as in-process. */
export type RemoteClock = Promisified<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

export function remoteClock(line: ControlClient): RemoteClock {
  const set = async (body: ClockModeAndTime): Promise<void> => {
    await line.call('setClock', { body })
  }
  return {
    read: () => line.call('readClock'),
    set: async (setting) => set(parseClockSetting(setting)),
    tick: (time) => set({ mode: 'ticking', ...(time !== undefined && { time }) }),
    freeze: () => set({ mode: 'frozen' }),
    release: () => set({ mode: 'real' }),
    async advance(body) {
      await line.call('advanceClock', { body })
    },
  }
}

/** The keys of a simulator in another process, as in-process. */
export type RemoteKeys = Promisified<Pick<Keys, 'list' | 'issue' | 'revoke'>>

export function remoteKeys(line: ControlClient): RemoteKeys {
  return {
    list: () => line.call('listKeys'),
    issue: async (body = {}) => (await line.call<KeyRow>('issueKey', { body })).value,
    revoke: (value) => line.remove('revokeKey', { value }),
  }
}

/** The fault rules of a simulator in another process, as in-process. */
export type RemoteFaults = Promisified<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteFaults(line: ControlClient): RemoteFaults {
  return {
    add: (body) => line.call('addFaults', { body }),
    list: () => line.call('listFaults'),
    remove: (id) => line.remove('removeFault', { id }),
    clear: () => line.call('clearFaults'),
  }
}

/** The second actors of a simulator in another process, as in-process. */
export type RemoteActors = Promisified<Pick<Actors, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteActors(line: ControlClient): RemoteActors {
  return {
    add: (body) => line.call('addActor', { body }),
    list: () => line.call('listActors'),
    remove: (id) => line.remove('removeActor', { id }),
    clear: () => line.call('clearActors'),
  }
}

/** The policies of a running simulator, as in-process. */
export interface RemotePolicies {
  list(): Promise<PolicyInfo[]>
  get<Id extends PolicyId>(id: Id): Promise<PolicySetting<Id>>
  set(overrides: PolicyOverrides): Promise<void>
}

export function remotePolicies(line: ControlClient): RemotePolicies {
  const list = (): Promise<PolicyInfo[]> => line.call('listPolicies')
  return {
    list,
    get: async <Id extends PolicyId>(id: Id) =>
      (await list()).find((policy) => policy.id === id)?.setting as PolicySetting<Id>,
    async set(body) {
      await line.call('setPolicies', { body })
    },
  }
}

/** The same methods as in-process, each with a promise. */
export type Promisified<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result>
    : never
}
