import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { findVisiblePlugin, type PluginsWorld } from './plugin-endpoint.ts'

const retrieve: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'retrievePlugin',
  summary: 'Retrieve a plugin.',

  viewName: 'Plugin',
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

/** Seen in the live service: any existing organization in the path leads to a global plugin, without a membership. */
export const retrievePlugin: Endpoint<PluginsWorld> = {
  ...retrieve,
  isOpenToAll: ({ id = '' }, { plugins }) => plugins.isGlobalForAll(parseInteger(id)),
}
