import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { newPlugin, organizationParams, pluginShape } from './plugin.ts'
import { addPlugin } from './plugins.ts'

/** Stores the fields of the body. By setting, installs the plugin from its URL instead. */
export const createPlugin: Operation = defineEndpoint({
  operation: 'createPlugin',
  list: 'plugins',
  verb: 'create',
  summary: 'Create a plugin.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:write',

  params: organizationParams,
  body: newPlugin,
  status: 201,
  response: pluginShape,
  errors: bodyFailures,

  handle({ organization, caller, body }, context) {
    return addPlugin(organization, caller, body, context)
  },
})
