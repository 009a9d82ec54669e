import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { findVisiblePlugin, type PluginsWorld } from './plugin-endpoint.ts'

export const retrievePlugin: Endpoint<PluginsWorld> = defineEndpoint({
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

  // Seen in the live service: the path of any organization leads to a global plugin, also for users who are no members.
  isOpenToAll: ({ id = '' }, { plugins }) => plugins.isGlobalForAll(parseInteger(id)),
  find: findVisiblePlugin,
  handle({ subject }, { plugins }) {
    return plugins.serialize(subject)
  },
})
