import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { Duration } from '../world/duration.ts'
import { uncheckedBody } from './body.ts'
import { clockReadingSchema } from './clock-setting.ts'
import type { ControlContext } from './world.ts'

const amount = z.number().exactOptional()
const durationFields = {
  milliseconds: amount,
  seconds: amount,
  minutes: amount,
  hours: amount,
  days: amount,
}

export const advanceClock: Endpoint<ControlContext> = defineEndpoint({
  id: 'advanceClock',
  summary: 'Move the clock by a duration, whose units add up; its mode stays.',

  method: 'POST',
  path: '/__admin/clock/advance',
  scope: 'operator',

  params: {},
  body: uncheckedBody<Duration>(z.strictObject(durationFields)),
  status: 200,
  response: clockReadingSchema,
  errors: bodyFailures,

  handle({ body }, { simulator: { clock } }) {
    clock.advance(body)
    return clock.read()
  },
})
