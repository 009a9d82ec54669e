import { noBody } from '../fields/shape.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { findPluginToChange } from './find.ts'
import { pluginParams } from './plugin.ts'
import type { PluginsWorld } from './world.ts'

export const deletePlugin: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'deletePlugin',
  summary: 'Remove a plugin for good.',

  method: 'DELETE',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',

  params: pluginParams,
  status: 204,
  response: noBody,
  errors: byPolicy('plugins.delete.global', {
    deleted: ['not_found'],
    refused: ['not_found', 'validation_error'],
  }),

  find: findPluginToChange,
  handle({ subject, caller }, { plugins }) {
    return plugins.remove(subject, caller)
  },
})
