import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { clockReading } from './clock-setting.ts'
import type { World } from './world.ts'

export const readClock: Endpoint<World> = endpoint({
  id: 'readClock',
  summary: 'Read the time and the mode of the clock.',

  method: 'GET',
  path: '/__admin/clock',
  scope: 'operator',

  params: {},
  status: 200,
  response: clockReading,
  errors: [],

  handle(_input, { simulator }) {
    return simulator.clock.read()
  },
})
