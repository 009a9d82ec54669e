import { onTestFinished } from 'vitest'
import {
  type Replay,
  type ReplayHandlersOptions,
  replayHandlers,
  type Scenario,
} from '../../../src/index.ts'
import { listen } from '../../../src/server/listen.ts'
import { Client } from './client.ts'
import { freeOrigin, lane, useHandlers } from './start.ts'

export interface StartedReplay extends Client {
  readonly replay: Replay
}

/** Replays a recording to a client, on the lane of this run, until the test ends. */
export async function startReplay(
  scenario: Scenario,
  options: ReplayHandlersOptions = {},
): Promise<StartedReplay> {
  if (lane === 'in-process') {
    const baseUrl = freeOrigin()
    const handlers = replayHandlers(scenario, { baseUrl, ...options })
    useHandlers(handlers)
    return Object.assign(new Client(baseUrl), { replay: handlers.replay })
  }
  const { replay } = replayHandlers(scenario, options)
  const server = await listen(replay.simulator, { lane: lane === 'http-msw' ? 'msw' : 'direct' })
  onTestFinished(() => server.close())
  return Object.assign(new Client(server.url), { replay })
}
