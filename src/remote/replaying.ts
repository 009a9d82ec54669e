import type { Replay } from '../replay-server/replay.ts'
import type { Promisified } from './asynchronous.ts'
import type { ControlClient } from './line.ts'

/** The replay that answers in another process, as in-process. */
export type RemoteReplay = Promisified<Pick<Replay, 'rewind'>> & {
  /** What of it was asked, and what was asked besides; null where none answers. */
  read(): Promise<Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'> | null>
}

export function remoteReplay(line: ControlClient): RemoteReplay {
  return {
    read: () => line.call('readReplay'),
    rewind: () => line.call('rewindReplay'),
  }
}
