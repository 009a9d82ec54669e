import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { findPluginToChange, type PluginsWorld } from './handler-input.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { pluginChanges } from './plugin-body.ts'

/** Undocumented. Seen in the live service: works like PATCH, since no field is required. */
export const replacePlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'replacePlugin',
  summary: 'Change a plugin. Works like PATCH.',

  method: 'PUT',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',
  enabled: byPolicy('methods.put', { off: false, on: true }),

  params: pluginParams,
  body: pluginChanges,
  status: 200,
  response: pluginShape,
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ subject, organization, body }, { plugins }) {
    return plugins.change(subject, organization, body)
  },
})
