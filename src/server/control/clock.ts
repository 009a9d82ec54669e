import * as z from 'zod'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { Duration } from '../../world/clock/duration.ts'
import { jsonBody, operation, uncheckedBody } from './operation.ts'

const clockModeSchema = z.enum(['real', 'frozen', 'ticking'])

/** `now` is the name of the time in a reading. */
const timeFields = { time: z.string().exactOptional(), now: z.string().exactOptional() }

export const clockSettingSchema = z.union(
  [z.string(), z.strictObject({ mode: clockModeSchema, ...timeFields })],
  { error: 'expected real, an ISO 8601 time, or { mode: real, frozen or ticking, time }' },
)

const clockReadingSchema = z.object({ mode: clockModeSchema, now: z.string() })

const clockChangeSchema = z.strictObject({ mode: clockModeSchema.exactOptional(), ...timeFields })

const amount = z.number().exactOptional()

const durationSchema = z.strictObject({
  milliseconds: amount,
  seconds: amount,
  minutes: amount,
  hours: amount,
  days: amount,
})

export const clockOperations = {
  readClock: operation('GET', '/__admin/clock', {
    summary: 'Read the time and the mode of the clock.',
    response: clockReadingSchema,
    handle: (_, { clock }) => clock.read(),
  }),

  setClock: operation('PUT', '/__admin/clock', {
    summary:
      'Set the mode (real, frozen or ticking), the time (as time or now), or both. A time alone freezes the clock.',
    body: jsonBody(clockChangeSchema),
    response: clockReadingSchema,
    handle({ body }, { clock }) {
      if (Object.keys(body).length === 0) {
        throw unexpectedValue('set the clock', 'a mode, a time, or both', body, undefined, 'mode')
      }
      clock.set({ mode: 'frozen', ...body })
      return clock.read()
    },
  }),

  advanceClock: operation('POST', '/__admin/clock/advance', {
    summary: 'Advance the clock by the sum of the given units. A real clock becomes a ticking one.',
    body: uncheckedBody<Duration>(durationSchema),
    response: clockReadingSchema,
    handle({ body }, { clock }) {
      clock.advance(body)
      return clock.read()
    },
  }),
}
