import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { RecordOptions } from '../recordings/record-options.ts'
import type { Recording } from '../recordings/recording.ts'
import { uncheckedBody } from './body.ts'
import type { ControlContext } from './world.ts'

const recordingSchema = z.object({
  scenario: z.looseObject({ title: z.string(), steps: z.array(z.record(z.string(), z.unknown())) }),
  warnings: z.array(z.string()),
}) as unknown as z.ZodType<Recording>

/** What is not in it is told in its warnings. */
export const recordJournal: Endpoint<ControlContext> = defineEndpoint({
  id: 'recordJournal',
  summary: 'Tell what was asked as a scenario that can be replayed.',

  method: 'POST',
  path: '/__admin/record',
  scope: 'operator',

  params: {},
  body: uncheckedBody<RecordOptions>(),
  status: 200,
  response: recordingSchema,
  errors: bodyFailures,

  handle({ body = {} }, { simulator }) {
    return simulator.record(body)
  },
})
