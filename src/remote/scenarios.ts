import type { ReplayRequest } from '../control/replay-request.ts'
import type { ListedScenario } from '../scenarios/library.ts'
import type { ReplayResult, StepResult } from '../scenarios/result.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { readServerSentEvents } from './events.ts'
import type { ControlClient } from './line.ts'
import { RemoteError } from './remote-error.ts'

/** How a scenario is replayed by a server. */
export interface RemoteReplayOptions extends Pick<ReplayRequest, 'profile' | 'policies'> {
  /** Told of each step when it has been run. */
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
