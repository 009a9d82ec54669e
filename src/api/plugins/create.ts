import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { newPlugin, organizationParams, pluginShape } from './plugin.ts'
import type { PluginsWorld } from './plugin-endpoint.ts'

/** Stores the fields of the body. By setting, installs the plugin from its URL instead. */
export const createPlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'createPlugin',
  summary: 'Create a plugin.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:write',

  params: organizationParams,
  body: newPlugin,
  status: 201,
  response: pluginShape,
  errors: bodyFailures,

  handle({ organization, caller, body }, { plugins }) {
    return plugins.create(organization, caller, body)
  },
})
