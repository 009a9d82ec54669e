import { objectOf } from '../fields/shape.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { nest } from '../wire.ts'
import { pluginOwned } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import type { OnPlugin, World } from './world.ts'

/** Notes the newest version that the catalogue knows as latest_tag. */
export const checkPluginForUpdates: Endpoint<World> = endpoint({
  id: 'checkPluginForUpdates',
  summary: 'Look for a newer version of a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id/check_for_updates',
  scope: byPolicy('plugins.check_for_updates.scope'),

  params: oneInOrganization,
  status: 200,
  response: byPolicy('plugins.check_for_updates.body', { plugin, wrapped: objectOf({ plugin }) }),
  errors: ['not_found'],

  find: pluginOwned,
  handle: byPolicy('plugins.check_for_updates.body', {
    plugin: ({ subject, organization }: OnPlugin, { extras }: World) =>
      extras.checkForUpdates(subject, organization),
    wrapped: ({ subject, organization }: OnPlugin, { extras }: World) =>
      nest('plugin', extras.checkForUpdates(subject, organization)),
  }),
})
