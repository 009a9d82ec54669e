import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { noSandbox, sandboxInfo, withUrlAt } from './sandbox-info.ts'
import type { World } from './world.ts'

export const retrieveSandbox: Endpoint<World> = endpoint({
  id: 'retrieveSandbox',
  summary: 'Tell what is needed to talk to a sandbox.',

  method: 'GET',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathText('The id of a sandbox.') },
  status: 200,
  response: sandboxInfo,
  errors: ['not_found'],

  handle({ params, url }, { root }) {
    const info = root.sandboxes.info(params.id)
    if (!info) throw noSandbox(params.id)
    return withUrlAt(info, url)
  },
})
