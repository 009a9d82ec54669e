import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { newPlugin, pluginParams, pluginShape } from './plugin.ts'
import { findPluginToChange, type PluginsWorld } from './plugin-endpoint.ts'

/** Upgrades to the newest version of the catalogue. */
export const upgradePlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'upgradePlugin',
  summary: 'Upgrade a plugin to its newest version.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins/:id/upgrade',
  scope: byPolicy('plugins.upgrade.scope'),

  params: pluginParams,
  body: byPolicy('plugins.upgrade.body', { validated: newPlugin, ignored: null }),
  status: 200,
  response: pluginShape,
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ subject }, { plugins }) {
    return plugins.upgrade(subject)
  },
})
