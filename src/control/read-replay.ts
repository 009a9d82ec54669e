import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { type ReplayInfo, replayInfoSchema } from './replay-info.ts'
import type { ControlContext } from './world.ts'

export const readReplay: Endpoint<ControlContext> = defineEndpoint({
  id: 'readReplay',
  summary:
    'Tell what of the recording that answers was asked, and what was asked besides; null where none answers.',

  method: 'GET',
  path: '/__admin/replay',
  scope: 'operator',

  params: {},
  status: 200,
  response: replayInfoSchema,
  errors: [],

  handle(_input, { simulator: { replaying } }): ReplayInfo | null {
    if (!replaying) return null
    const { title, mode, requests, unused, unexpected } = replaying
    return { title, mode, requests, unused, unexpected }
  },
})
