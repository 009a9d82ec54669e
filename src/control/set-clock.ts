import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { unexpectedValue } from '../usage-error.ts'
import { jsonBody } from './body.ts'
import { clockModeSchema, clockReadingSchema } from './clock-setting.ts'
import type { ControlContext } from './world.ts'

const setClockRequest = z.strictObject({
  mode: clockModeSchema.exactOptional(),
  time: z.string().exactOptional(),
})

/** A time alone is one to stand still at; a mode alone goes on from the time the clock has. */
export const setClock: Endpoint<ControlContext> = defineEndpoint({
  id: 'setClock',
  summary: 'Set the time, the mode, or both: real, frozen or ticking.',

  method: 'PUT',
  path: '/__admin/clock',
  scope: 'operator',

  params: {},
  body: jsonBody(setClockRequest),
  status: 200,
  response: clockReadingSchema,
  errors: bodyFailures,

  handle({ body }, { simulator: { clock } }) {
    if (body.mode === undefined && body.time === undefined) {
      throw unexpectedValue('set the clock', 'a mode, a time, or both', body, undefined, 'mode')
    }
    clock.set({ mode: 'frozen', ...body })
    return clock.read()
  },
})
