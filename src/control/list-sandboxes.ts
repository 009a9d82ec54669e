import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { sandboxInfoSchema, withRequestOrigin } from './sandbox-info.ts'
import type { ControlContext } from './world.ts'

export const listSandboxes: Endpoint<ControlContext> = defineEndpoint({
  id: 'listSandboxes',
  summary: 'List the sandboxes that have not ended, the oldest first.',

  method: 'GET',
  path: '/__admin/sandboxes',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(sandboxInfoSchema),
  errors: [],

  handle({ url }, { root }) {
    return root.sandboxes.list().map((info) => withRequestOrigin(info, url))
  },
})
