import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { sandboxInfo, withUrlAt } from './sandbox-info.ts'
import type { World } from './world.ts'

export const listSandboxes: Endpoint<World> = endpoint({
  id: 'listSandboxes',
  summary: 'List the sandboxes that have not ended, the oldest first.',

  method: 'GET',
  path: '/__admin/sandboxes',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(sandboxInfo),
  errors: [],

  handle({ url }, { root }) {
    return root.sandboxes.list().map((info) => withUrlAt(info, url))
  },
})
