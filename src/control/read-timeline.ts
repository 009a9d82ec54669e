import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Timeline } from '../world/timeline.ts'
import { annotationParameters, rowQueryIn } from './row-parameters.ts'
import type { World } from './world.ts'

const timeline: z.ZodType<Timeline> = z.object({
  unit: z.enum(['hour', 'day', 'week', 'month', 'year']),
  steps: z.array(z.object({ at: z.string(), counts: z.record(z.string(), z.int()) })),
  undated: z.int(),
})

export const readTimeline: Endpoint<World> = endpoint({
  id: 'readTimeline',
  summary:
    'Count annotations by their date_marker and scope, in steps that suit the time they span.',

  method: 'GET',
  path: '/__admin/timeline',
  scope: 'operator',

  params: {},
  query: annotationParameters,
  status: 200,
  response: timeline,
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.world.timeline(rowQueryIn(url))
  },
})
