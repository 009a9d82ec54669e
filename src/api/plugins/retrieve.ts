import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { findVisiblePlugin, type PluginsWorld } from './plugin-endpoint.ts'

export const retrievePlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'retrievePlugin',
  summary: 'Retrieve a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:read',

  params: pluginParams,
  status: 200,
  response: pluginShape,
  errors: ['not_found'],

  find: findVisiblePlugin,
  handle({ subject }, { plugins }) {
    return plugins.serialize(subject)
  },
})
