import type { Actors } from '../actors/actors.ts'
import type { Faults } from '../faults/faults.ts'
import type { Keys } from '../keys.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { Clock } from '../world/clock.ts'
import { type ClockModeAndTime, parseClockSetting } from '../world/clock-setting.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Promisified } from './asynchronous.ts'
import type { ControlClient } from './line.ts'

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
