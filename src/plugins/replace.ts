import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { pluginChanges } from './changes.ts'
import { pluginToChange } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

/** Undocumented: as PATCH, since no field is required (observed §4.5, §9.8). */
export const replacePlugin: Endpoint<World> = endpoint({
  id: 'replacePlugin',
  summary: 'Change a plugin, by the rules of PATCH.',

  method: 'PUT',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',
  enabled: byPolicy('methods.put', { off: false, on: true }),

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
