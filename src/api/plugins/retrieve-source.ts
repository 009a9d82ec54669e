import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { byBody, otherScope, pluginParams, pluginShape, writePlugin } from './plugin.ts'
import { findOwnPlugin, readSource } from './plugins.ts'
import { sourceFilesShape } from './source-files.ts'

export const retrievePluginSource: Operation = defineEndpoint({
  operation: 'retrievePluginSource',
  list: 'plugins',
  summary: 'Retrieve the source of a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id/source',
  scope: otherScope('plugin:read'),

  params: pluginParams,
  status: 200,
  response: byBody(pluginShape, sourceFilesShape),
  errors: ['not_found'],

  find: findOwnPlugin,
  handle({ row, organization }, context) {
    if (context.settings['plugins.other.body'] === 'plugin') return writePlugin(context)(row)
    return readSource(row, organization, context)
  },
})
