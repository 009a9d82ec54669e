import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import {
  changePlugin,
  findPluginToChange,
  pluginChanges,
  pluginParams,
  pluginShape,
} from './plugin.ts'

export const updatePlugin: Operation = defineEndpoint({
  operation: 'updatePlugin',
  list: 'plugins',
  verb: 'update',
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
  handle({ row, organization, body }, context) {
    return changePlugin(row, organization, body, context)
  },
})
