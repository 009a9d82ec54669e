import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import { bodyFailures } from '../../http/input.ts'
import type { PluginChanges, SourceFiles } from '../../world/entities/plugin.ts'
import { byBody, otherScope, pluginChanges, pluginParams, pluginShape } from './plugin.ts'
import { changePlugin, changeSource, findPluginToChange } from './plugins.ts'
import { sourceFilesBody, sourceFilesShape } from './source-files.ts'

/** The body has fields of the plugin. By setting it has source files, as in the live service. */
export const updatePluginSource: Operation = defineEndpoint({
  operation: 'updatePluginSource',
  list: 'plugins',
  summary: 'Change the source of a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id/update_source',
  scope: otherScope('plugin:write'),

  params: pluginParams,
  body: byBody<BodySchema<unknown>, BodySchema<unknown>>(pluginChanges, sourceFilesBody),
  status: 200,
  response: byBody(pluginShape, sourceFilesShape),
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ row, organization, body }, context) {
    if (context.settings['plugins.other.body'] !== 'plugin') {
      return changeSource(row, body as SourceFiles, context)
    }
    return changePlugin(row, organization, body as PluginChanges, context)
  },
})
