import * as z from 'zod'
import type { Replay } from '../replay-server/replay.ts'

/** A replay that answers: what of its recording was asked. */
export type ReplayInfo = Pick<Replay, 'title' | 'mode' | 'requests' | 'unused' | 'unexpected'>

const request = z.object({
  step: z.int(),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  asked: z.int(),
})

/** The form of it. */
export const replayInfo: z.ZodType<ReplayInfo | null> = z
  .object({
    title: z.string(),
    mode: z.enum(['strict', 'fallback', 'loose']),
    requests: z.array(request),
    unused: z.array(request),
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
