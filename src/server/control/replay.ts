import * as z from 'zod'
import { Failure } from '../../http/failures.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import { type ControlOperations, operation } from './control-endpoint.ts'

type ReplayInfo = Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'>

const recordedRequestSchema = z.object({
  step: z.int(),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  count: z.int(),
})

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

export const replayOperations: ControlOperations = {
  readReplay: operation('GET', '/__admin/replay', {
    summary:
      'Read the progress of the recording: requests received, not received and unexpected. Null without a recording.',
    response: replayInfoSchema,
    handle(_, { replaying }) {
      if (!replaying) return null
      const { title, mode, requests, unused, unexpected } = replaying
      return { title, mode, requests, unused, unexpected }
    },
  }),

  rewindReplay: operation('POST', '/__admin/replay/rewind', {
    summary: 'Rewind the recording to its first request, and its world to the start.',
    errors: ['not_found'],
    handle(_, { replaying }) {
      if (!replaying) throw new Failure('not_found', 'Replay not found: no recording is replayed.')
      replaying.rewind()
    },
  }),
}
