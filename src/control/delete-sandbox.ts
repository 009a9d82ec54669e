import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { noSandbox } from './sandbox-info.ts'
import type { World } from './world.ts'

export const deleteSandbox: Endpoint<World> = endpoint({
  id: 'deleteSandbox',
  summary: 'End a sandbox and free what it holds.',

  method: 'DELETE',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathText('The id of a sandbox.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { root }): undefined {
    if (!root.sandboxes.delete(params.id)) throw noSandbox(params.id)
  },
})
