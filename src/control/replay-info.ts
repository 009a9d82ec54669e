import * as z from 'zod'
import type { Replay } from '../replay-server/replay.ts'

/** A replay that answers: what of its recording was asked. */
export type ReplayInfo = Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'>

const recordedRequestSchema = z.object({
  step: z.int(),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  asked: z.int(),
})

/** The form of it. */
export const replayInfoSchema: z.ZodType<ReplayInfo | null> = z
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
