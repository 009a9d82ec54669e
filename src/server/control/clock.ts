import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { ClockMode, ClockSetting } from '../../world/clock/clock-setting.ts'
import type { Duration } from '../../world/clock/time.ts'
import { type ControlContext, jsonBody, uncheckedBody } from './control-endpoint.ts'

const clockModeSchema: z.ZodType<ClockMode> = z.enum(['real', 'frozen', 'ticking'])

/** `real`, a time to stand still at, or a mode with its time. */
export const clockSettingSchema: z.ZodType<Exclude<ClockSetting, Date>> = z.union(
  [z.string(), z.strictObject({ mode: clockModeSchema, time: z.string().exactOptional() })],
  { error: 'expected real, an ISO 8601 time, or { mode: real, frozen or ticking, time }' },
)

/** What the control API tells of a clock. */
const clockReadingSchema: z.ZodType<ClockReading> = z.object({
  mode: clockModeSchema,
  now: z.string(),
})

export const readClock: Endpoint<ControlContext> = defineEndpoint({
  id: 'readClock',
  summary: 'Read the time and the mode of the clock.',

  method: 'GET',
  path: '/__admin/clock',
  scope: 'operator',

  params: {},
  status: 200,
  response: clockReadingSchema,
  errors: [],

  handle(_input, { simulator }) {
    return simulator.clock.read()
  },
})

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
