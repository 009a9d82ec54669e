import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { unexpected } from '../usage-error.ts'
import { bodyOf } from './body.ts'
import { clockMode, clockReading } from './clock-setting.ts'
import type { World } from './world.ts'

const request = z.strictObject({
  mode: clockMode.exactOptional(),
  time: z.string().exactOptional(),
})

/** A time alone is one to stand still at; a mode alone goes on from the time the clock has. */
export const setClock: Endpoint<World> = endpoint({
  id: 'setClock',
  summary: 'Set the time, the mode, or both: real, frozen or ticking.',

  method: 'PUT',
  path: '/__admin/clock',
  scope: 'operator',

  params: {},
  body: bodyOf(request),
  status: 200,
  response: clockReading,
  errors: bodyErrors,

  handle({ body }, { simulator: { clock } }) {
    if (body.mode === undefined && body.time === undefined) {
      throw unexpected('set the clock', 'a mode, a time, or both', body, undefined, 'mode')
    }
    clock.set({ mode: 'frozen', ...body })
    return clock.read()
  },
})
