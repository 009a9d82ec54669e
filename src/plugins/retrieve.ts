import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pluginSeen } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

export const retrievePlugin: Endpoint<World> = endpoint({
  id: 'retrievePlugin',
  summary: 'Retrieve a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:read',

  params: oneInOrganization,
  status: 200,
  response: plugin,
  errors: ['not_found'],

  find: pluginSeen,
  handle({ subject }, { plugins }) {
    return plugins.show(subject)
  },
})
