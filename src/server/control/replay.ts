import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import type { ControlContext } from './control-endpoint.ts'

/** A replay that answers: what of its recording was asked. */
type ReplayInfo = Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'>

const recordedRequestSchema = z.object({
  step: z.int(),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  asked: z.int(),
})

/** The form of it. */
const replayInfoSchema: z.ZodType<ReplayInfo | null> = z
  .object({
    title: z.string(),
    mode: z.enum(['strict', 'fallback', 'loose']),
    requests: z.array(recordedRequestSchema),
    unused: z.array(recordedRequestSchema),
    unexpected: z.array(
      z.object({
        method: z.string(),
        path: z.string(),
        nearest: z
          .object({ step: z.int(), title: z.string(), differences: z.array(z.string()) })
          .nullable(),
      }),
    ),
  })
  .nullable()

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
