import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { ListedScenario, Scenario } from '../scenarios/format/scenario.ts'
import type { Replay } from '../scenarios/replay-server/replay.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import { type ControlClient, RemoteError, readServerSentEvents } from './client.ts'
import type { Promisified } from './resources.ts'

/** How a scenario is replayed by a server. */
export interface RemoteReplayOptions {
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides policies of the scenario. */
  readonly policies?: PolicyOverrides
  /** Called after each step. */
  readonly onStep?: (step: StepResult) => void
}

/** The scenarios that a server has at hand. */
export interface RemoteScenarios {
  list(): Promise<ListedScenario[]>
  /** One of them whole; undefined where there is none. */
  get(name: string): Promise<Scenario | undefined>
  /** Replays one of them, or another one, in a world of its own. */
  replay(scenario: string | Scenario, options?: RemoteReplayOptions): Promise<ReplayResult>
}

export function remoteScenarios(line: ControlClient): RemoteScenarios {
  return {
    list: () => line.call('listScenarios'),
    get: (name) => line.callOrUndefined('retrieveScenario', { params: { name } }),
    async replay(scenario, { onStep, ...options } = {}) {
      const response = await line.send('replayScenario', { body: { scenario, ...options } })
      for await (const { event, data } of readServerSentEvents(response)) {
        const told = JSON.parse(data)
        if (event === 'step') onStep?.(told)
        if (event === 'failed') throw new RemoteError(told.message)
        if (event === 'result') return told
      }
      throw new RemoteError(
        'Failed to replay: expected a result, got an answer that ended before. Look at the server.',
      )
    },
  }
}

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
