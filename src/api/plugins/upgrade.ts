import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { byBody, newPlugin, otherScope, pluginParams, pluginShape } from './plugin.ts'
import { findPluginToChange, upgradeToNewest } from './plugins.ts'

/** Upgrades to the newest version of the catalogue. */
export const upgradePlugin: Operation = defineEndpoint({
  operation: 'upgradePlugin',
  list: 'plugins',
  verb: 'upgrade',
  summary: 'Upgrade a plugin to its newest version.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins/:id/upgrade',
  scope: otherScope('plugin:write'),

  params: pluginParams,
  body: byBody(newPlugin, null),
  status: 200,
  response: pluginShape,
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ row }, context) {
    return upgradeToNewest(row, context)
  },
})
