import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { type ReplayInfo, replayInfo } from './replay-info.ts'
import type { World } from './world.ts'

export const readReplay: Endpoint<World> = endpoint({
  id: 'readReplay',
  summary:
    'Tell what of the recording that answers was asked, and what was asked besides; null where none answers.',

  method: 'GET',
  path: '/__admin/replay',
  scope: 'operator',

  params: {},
  status: 200,
  response: replayInfo,
  errors: [],

  handle(_input, { simulator: { replaying } }): ReplayInfo | null {
    if (!replaying) return null
    const { title, mode, requests, unused, unexpected } = replaying
    return { title, mode, requests, unused, unexpected }
  },
})
