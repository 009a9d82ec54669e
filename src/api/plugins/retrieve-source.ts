import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { anyJson, recordOf, type Shape } from '../../http/fields/body-fields.ts'
import type { SourceFiles } from '../../world/rows.ts'
import {
  byBody,
  findOwnPlugin,
  otherScope,
  pluginParams,
  pluginShape,
  pluginWriter,
  requireLevel,
} from './plugin.ts'

export const sourceFilesShape: Shape<SourceFiles> = recordOf(anyJson)

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
    if (context.settings['plugins.other.body'] === 'plugin') return pluginWriter(context).write(row)
    const detail = 'Plugin source editing is not available for the current organization!'
    requireLevel(organization, 'install', context, detail)
    return row.source
  },
})
