import type { Actors } from '../actors/actors.ts'
import type { Faults } from '../faults/faults.ts'
import type { Keys } from '../keys.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { Clock } from '../world/clock.ts'
import { type ClockModeAndTime, toModeAndTime } from '../world/clock-setting.ts'
import type { KeyRow } from '../world/rows.ts'
import type { Asynchronous } from './asynchronous.ts'
import type { Line } from './line.ts'

/** The snapshots of a simulator in another process, as in-process. */
export type RemoteSnapshots = Asynchronous<
  Pick<Snapshots, 'save' | 'list' | 'has' | 'restore' | 'get' | 'import' | 'delete'>
>

export function remoteSnapshots(line: Line): RemoteSnapshots {
  const list: RemoteSnapshots['list'] = () => line.ask('listSnapshots')
  return {
    list,
    save: (name) => line.ask('createSnapshot', { body: { name } }),
    has: async (name) => (await list()).some((snapshot) => snapshot.name === name),
    restore: (name) => line.ask('restoreSnapshot', { params: { name } }),
    get: (name) => line.find('retrieveSnapshot', { params: { name } }),
    import: (name, file) => line.ask('importSnapshot', { params: { name }, body: file }),
    delete: (name) => line.remove('deleteSnapshot', { name }),
  }
}

/** The clock of a simulator in another process, as in-process. */
export type RemoteClock = Asynchronous<
  Pick<Clock, 'read' | 'set' | 'tick' | 'freeze' | 'release' | 'advance'>
>

export function remoteClock(line: Line): RemoteClock {
  const set = async (body: ClockModeAndTime): Promise<void> => {
    await line.ask('setClock', { body })
  }
  return {
    read: () => line.ask('readClock'),
    set: async (setting) => set(toModeAndTime(setting)),
    tick: (time) => set({ mode: 'ticking', ...(time !== undefined && { time }) }),
    freeze: () => set({ mode: 'frozen' }),
    release: () => set({ mode: 'real' }),
    async advance(body) {
      await line.ask('advanceClock', { body })
    },
  }
}

/** The keys of a simulator in another process, as in-process. */
export type RemoteKeys = Asynchronous<Pick<Keys, 'list' | 'issue' | 'revoke'>>

export function remoteKeys(line: Line): RemoteKeys {
  return {
    list: () => line.ask('listKeys'),
    issue: async (body = {}) => (await line.ask<KeyRow>('issueKey', { body })).value,
    revoke: (value) => line.remove('revokeKey', { value }),
  }
}

/** The fault rules of a simulator in another process, as in-process. */
export type RemoteFaults = Asynchronous<Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteFaults(line: Line): RemoteFaults {
  return {
    add: (body) => line.ask('addFaults', { body }),
    list: () => line.ask('listFaults'),
    remove: (id) => line.remove('removeFault', { id }),
    clear: () => line.ask('clearFaults'),
  }
}

/** The second actors of a simulator in another process, as in-process. */
export type RemoteActors = Asynchronous<Pick<Actors, 'add' | 'list' | 'remove' | 'clear'>>

export function remoteActors(line: Line): RemoteActors {
  return {
    add: (body) => line.ask('addActor', { body }),
    list: () => line.ask('listActors'),
    remove: (id) => line.remove('removeActor', { id }),
    clear: () => line.ask('clearActors'),
  }
}
