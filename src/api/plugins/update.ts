import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pluginChanges, pluginParams, pluginShape } from './plugin.ts'
import { findPluginToChange, type PluginsWorld } from './plugin-endpoint.ts'

export const updatePlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'updatePlugin',
  summary: 'Change a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',

  params: pluginParams,
  body: pluginChanges,
  status: 200,
  response: pluginShape,
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ subject, organization, body }, { plugins }) {
    return plugins.change(subject, organization, body)
  },
})
