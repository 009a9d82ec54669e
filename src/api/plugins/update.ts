import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pluginChanges, pluginParams, pluginShape } from './plugin.ts'
import { changePlugin, findPluginToChange } from './plugins.ts'

export const updatePlugin: Endpoint = defineEndpoint({
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
  handle({ subject, organization, body }, context) {
    return changePlugin(subject, organization, body, context)
  },
})
