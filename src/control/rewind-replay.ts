import * as z from 'zod'
import { Failure } from '../errors.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const rewindReplay: Endpoint<ControlContext> = defineEndpoint({
  id: 'rewindReplay',
  summary: 'Begin the recording anew: no request was asked, and the world is as it began.',

  method: 'POST',
  path: '/__admin/replay/rewind',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle(_input, { simulator: { replaying } }): undefined {
    if (!replaying) throw new Failure('not_found', 'Replay not found: no recording answers here.')
    replaying.rewind()
  },
})
