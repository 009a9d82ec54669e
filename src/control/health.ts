import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { version } from '../version.ts'
import type { World } from './world.ts'

export const readHealth: Endpoint<World> = endpoint({
  id: 'readHealth',
  summary: 'Tell whether the simulator is ready.',

  method: 'GET',
  path: '/__admin/health',
  scope: 'anyone',

  params: {},
  status: 200,
  response: z.object({ status: z.literal('ready'), version: z.string() }),
  errors: [],

  handle: () => ({ status: 'ready' as const, version }),
})
