import type { ApiResponse } from '../../../src/http/messages.ts'
import type { Scenario, Step } from '../../../src/index.ts'
import { openReplay, type ReplayHandlersOptions } from '../../../src/replay.ts'
import type { Replay } from '../../../src/scenarios/replay-server/replay.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { createStory } from './story.ts'

interface Sent {
  readonly method?: string
  readonly key?: string | null
  readonly body?: string
  readonly origin?: string
}

/** Sends a request to a replay, by default a read with the key of the recordings. */
export async function askReplay(
  replay: Replay,
  target: string,
  sent: Sent = {},
): Promise<ApiResponse> {
  const { method = 'GET', key = 'phx_all', body, origin = 'http://localhost' } = sent
  const headers = new Headers({ 'content-type': 'application/json' })
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  const query = target.split('?')[1] ?? ''
  const bytes = body === undefined ? null : new TextEncoder().encode(body)
  return replay.respond(
    { method, url: origin + target, target, query, headers, body: bytes },
    target,
  )
}

/** Replays a story of these steps, without a server. */
export function openStory(
  steps: readonly Step[],
  options: ReplayHandlersOptions = {},
  more: Partial<Scenario> = {},
): Replay<Simulator> {
  return openReplay(createStory(steps, more), options)
}
