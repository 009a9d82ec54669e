import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pluginChanges } from './changes.ts'
import { pluginToChange } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

export const updatePlugin: Endpoint<World> = endpoint({
  id: 'updatePlugin',
  summary: 'Change what the body gives of a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',

  params: oneInOrganization,
  body: pluginChanges,
  status: 200,
  response: plugin,
  errors: ['not_found', ...bodyErrors],

  find: pluginToChange,
  handle({ subject, organization, body }, { plugins }) {
    return plugins.change(subject, organization, body)
  },
})
