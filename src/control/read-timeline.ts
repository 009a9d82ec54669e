import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { Timeline } from '../world/timeline.ts'
import { annotationParameters, parseRowQuery } from './row-parameters.ts'
import type { ControlContext } from './world.ts'

const timelineSchema: z.ZodType<Timeline> = z.object({
  unit: z.enum(['hour', 'day', 'week', 'month', 'year']),
  steps: z.array(z.object({ at: z.string(), counts: z.record(z.string(), z.int()) })),
  undated: z.int(),
})

export const readTimeline: Endpoint<ControlContext> = defineEndpoint({
  id: 'readTimeline',
  summary:
    'Count annotations by their date_marker and scope, in steps that suit the time they span.',

  method: 'GET',
  path: '/__admin/timeline',
  scope: 'operator',

  params: {},
  query: annotationParameters,
  status: 200,
  response: timelineSchema,
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.world.timeline(parseRowQuery(url))
  },
})
