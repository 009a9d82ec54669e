import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { sandboxNotFound } from './sandbox-info.ts'
import type { ControlContext } from './world.ts'

export const deleteSandbox: Endpoint<ControlContext> = defineEndpoint({
  id: 'deleteSandbox',
  summary: 'End a sandbox and free what it holds.',

  method: 'DELETE',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a sandbox.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { root }): undefined {
    if (!root.sandboxes.delete(params.id)) throw sandboxNotFound(params.id)
  },
})
