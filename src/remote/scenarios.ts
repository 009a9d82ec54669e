import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { ListedScenario, Scenario } from '../scenarios/format/scenario.ts'
import type { Replay } from '../scenarios/replay-server/replay.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import { type ControlClient, RemoteError, readServerSentEvents } from './client.ts'
import type { Promisified } from './resources.ts'

/** Options of `scenarios.replay`. */
export interface RemoteReplayOptions {
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides policies of the scenario. */
  readonly policies?: PolicyOverrides
  /** Called after each step. */
  readonly onStep?: (step: StepResult) => void
}

/** The scenarios of a server. */
export interface RemoteScenarios {
  list(): Promise<ListedScenario[]>
  /** Returns a scenario, or undefined for an unknown name. */
  get(name: string): Promise<Scenario | undefined>
  /** Replays a scenario, or a listed one by its name, in a copy of the world. */
  replay(scenario: string | Scenario, options?: RemoteReplayOptions): Promise<ReplayResult>
}

/** Replays a scenario on a server. Each step, then the result, arrives as a server-sent event. */
export async function replayRemotely(
  client: ControlClient,
  scenario: string | Scenario,
  { onStep, ...options }: RemoteReplayOptions = {},
): Promise<ReplayResult> {
  const response = await client.send('replayScenario', { body: { scenario, ...options } })
  for await (const { event, data } of readServerSentEvents(response)) {
    const value = JSON.parse(data)
    if (event === 'step') onStep?.(value)
    if (event === 'error') throw new RemoteError(value.message)
    if (event === 'result') return value
  }
  throw new RemoteError(
    'The server closed the connection before the replay was complete. See its output.',
  )
}

/** The recording that a server replays to its clients. */
export type RemoteReplay = Promisified<Pick<Replay, 'rewind'>> & {
  /** Returns the progress of the recording, or null without one. */
  read(): Promise<Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'> | null>
}
