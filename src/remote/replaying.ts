import type { Replay } from '../replay-server/replay.ts'
import type { Asynchronous } from './asynchronous.ts'
import type { Line } from './line.ts'

/** The replay that answers in another process, as in-process. */
export type RemoteReplay = Asynchronous<Pick<Replay, 'rewind'>> & {
  /** What of it was asked, and what was asked besides; null where none answers. */
  read(): Promise<Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'> | null>
}

export function remoteReplay(line: Line): RemoteReplay {
  return {
    read: () => line.ask('readReplay'),
    rewind: () => line.ask('rewindReplay'),
  }
}
