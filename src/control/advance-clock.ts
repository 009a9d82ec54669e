import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Duration } from '../world/duration.ts'
import { anyBody } from './body.ts'
import { clockReading } from './clock-setting.ts'
import type { World } from './world.ts'

const count = z.number().exactOptional()
const units = { milliseconds: count, seconds: count, minutes: count, hours: count, days: count }

export const advanceClock: Endpoint<World> = endpoint({
  id: 'advanceClock',
  summary: 'Move the clock by a duration, whose units add up; its mode stays.',

  method: 'POST',
  path: '/__admin/clock/advance',
  scope: 'operator',

  params: {},
  body: anyBody<Duration>(z.strictObject(units)),
  status: 200,
  response: clockReading,
  errors: bodyErrors,

  handle({ body }, { simulator: { clock } }) {
    clock.advance(body)
    return clock.read()
  },
})
