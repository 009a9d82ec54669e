import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { byBody, extraScope, pluginParams, pluginShape } from './plugin.ts'
import { findOwnPlugin, type PluginsWorld } from './plugin-endpoint.ts'
import { sourceFilesShape } from './source-files.ts'

export const retrievePluginSource: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'retrievePluginSource',
  summary: 'Retrieve the source of a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id/source',
  scope: extraScope('plugin:read'),

  params: pluginParams,
  status: 200,
  response: byBody(pluginShape, sourceFilesShape),
  errors: ['not_found'],

  find: findOwnPlugin,
  handle({ subject, organization, settings }, { plugins }) {
    if (settings['plugins.extras.body'] === 'plugin') return plugins.serialize(subject)
    return plugins.retrieveSource(subject, organization)
  },
})
