import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { sandboxInfoSchema, sandboxNotFound, withRequestOrigin } from './sandbox-info.ts'
import type { ControlContext } from './world.ts'

export const retrieveSandbox: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveSandbox',
  summary: 'Tell what is needed to talk to a sandbox.',

  method: 'GET',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a sandbox.') },
  status: 200,
  response: sandboxInfoSchema,
  errors: ['not_found'],

  handle({ params, url }, { root }) {
    const info = root.sandboxes.info(params.id)
    if (!info) throw sandboxNotFound(params.id)
    return withRequestOrigin(info, url)
  },
})
