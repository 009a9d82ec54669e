import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { clockReadingSchema } from './clock-setting.ts'
import type { ControlContext } from './world.ts'

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
