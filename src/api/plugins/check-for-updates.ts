import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { objectOf } from '../../http/fields/body-fields.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { nestJson } from '../../utils/json.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { findOwnPlugin, type PluginInput, type PluginsWorld } from './plugin-endpoint.ts'

/** Sets latest_tag to the newest version of the catalogue. */
export const checkPluginForUpdates: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'checkPluginForUpdates',
  summary: 'Check for a newer version of a plugin.',

  method: 'GET',
  changesRows: true,
  path: '/api/organizations/:organization_id/plugins/:id/check_for_updates',
  scope: byPolicy('plugins.check_for_updates.scope'),

  params: pluginParams,
  status: 200,
  response: byPolicy('plugins.check_for_updates.body', {
    plugin: pluginShape,
    wrapped: objectOf({ plugin: pluginShape }),
  }),
  errors: ['not_found'],

  find: findOwnPlugin,
  handle: byPolicy('plugins.check_for_updates.body', {
    plugin: ({ subject, organization }: PluginInput, { plugins }: PluginsWorld) =>
      plugins.checkForUpdates(subject, organization),
    wrapped: ({ subject, organization }: PluginInput, { plugins }: PluginsWorld) =>
      nestJson('plugin', plugins.checkForUpdates(subject, organization)),
  }),
})
