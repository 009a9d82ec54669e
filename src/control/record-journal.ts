import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { RecordOptions } from '../recordings/record-options.ts'
import type { Recording } from '../recordings/recording.ts'
import { anyBody } from './body.ts'
import type { World } from './world.ts'

const recording = z.object({
  scenario: z.looseObject({ title: z.string(), steps: z.array(z.record(z.string(), z.unknown())) }),
  warnings: z.array(z.string()),
}) as unknown as z.ZodType<Recording>

/** What is not in it is told in its warnings. */
export const recordJournal: Endpoint<World> = endpoint({
  id: 'recordJournal',
  summary: 'Tell what was asked as a scenario that can be replayed.',

  method: 'POST',
  path: '/__admin/record',
  scope: 'operator',

  params: {},
  body: anyBody<RecordOptions>(),
  status: 200,
  response: recording,
  errors: bodyErrors,

  handle({ body = {} }, { simulator }) {
    return simulator.record(body)
  },
})
