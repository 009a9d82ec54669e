import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { newPlugin } from './changes.ts'
import { pluginToChange } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

/** Moves a plugin to the newest version that the catalogue knows. */
export const upgradePlugin: Endpoint<World> = endpoint({
  id: 'upgradePlugin',
  summary: 'Upgrade a plugin to its newest version.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins/:id/upgrade',
  scope: byPolicy('plugins.upgrade.scope'),

  params: oneInOrganization,
  body: byPolicy('plugins.upgrade.body', { validated: newPlugin, ignored: null }),
  status: 200,
  response: plugin,
  errors: ['not_found', ...bodyErrors],

  find: pluginToChange,
  handle({ subject }, { extras }) {
    return extras.upgrade(subject)
  },
})
