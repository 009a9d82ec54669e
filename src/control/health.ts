import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { version } from '../version.ts'
import type { ControlContext } from './world.ts'

export const readHealth: Endpoint<ControlContext> = defineEndpoint({
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
