import {
  type Playback,
  type PlaybackOptions,
  playbackHandlers,
  type Scenario,
} from '../../../src/index.ts'
import { createStory } from '../scenarios/story.ts'
import { Client } from './client.ts'
import { freeOrigin, useHandlers } from './start.ts'

export interface StartedPlayback extends Client {
  readonly playback: Playback
}

/** Replays a recording to a client until the test ends. By default, requests that are not recorded are refused. */
export async function startPlayback(
  scenario: Scenario,
  options: PlaybackOptions = {},
): Promise<StartedPlayback> {
  const baseUrl = freeOrigin()
  const handlers = playbackHandlers(scenario, { baseUrl, onlyRecorded: true, ...options })
  useHandlers(handlers)
  return Object.assign(new Client(baseUrl), { playback: handlers.playback })
}

/** Replays these steps in the default world. */
export function startStory(
  steps: Scenario['steps'],
  options?: PlaybackOptions,
): Promise<StartedPlayback> {
  return startPlayback(createStory(steps), options)
}
