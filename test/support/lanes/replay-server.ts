import {
  type Replay,
  type ReplayHandlersOptions,
  replayHandlers,
  type Scenario,
} from '../../../src/index.ts'
import { Client } from './client.ts'
import { freeOrigin, useHandlers } from './start.ts'

export interface StartedReplay extends Client {
  readonly replay: Replay
}

/** Replays a recording to a client until the test ends. By default, requests that are not recorded are refused. */
export async function startReplay(
  scenario: Scenario,
  options: ReplayHandlersOptions = {},
): Promise<StartedReplay> {
  const baseUrl = freeOrigin()
  const handlers = replayHandlers(scenario, { baseUrl, onlyRecorded: true, ...options })
  useHandlers(handlers)
  return Object.assign(new Client(baseUrl), { replay: handlers.replay })
}
