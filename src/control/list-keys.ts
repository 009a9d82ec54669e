import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { keyRowSchema } from './key-row.ts'
import type { ControlContext } from './world.ts'

export const listKeys: Endpoint<ControlContext> = defineEndpoint({
  id: 'listKeys',
  summary: 'List the API keys with their values and scopes.',

  method: 'GET',
  path: '/__admin/keys',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(keyRowSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.keys.list()
  },
})
