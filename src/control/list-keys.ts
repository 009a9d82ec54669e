import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { keyRow } from './key-row.ts'
import type { World } from './world.ts'

export const listKeys: Endpoint<World> = endpoint({
  id: 'listKeys',
  summary: 'List the API keys with their values and scopes.',

  method: 'GET',
  path: '/__admin/keys',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(keyRow),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.keys.list()
  },
})
