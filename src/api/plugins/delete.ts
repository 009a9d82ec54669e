import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { emptyBody } from '../../http/fields/body-fields.ts'
import { perSetting } from '../../settings/setting.ts'
import { pluginParams } from './plugin.ts'
import { findPluginToChange, removePlugin } from './plugins.ts'

export const deletePlugin: Operation = defineEndpoint({
  operation: 'deletePlugin',
  list: 'plugins',
  verb: 'delete',
  summary: 'Delete a plugin permanently.',

  method: 'DELETE',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',

  params: pluginParams,
  status: 204,
  response: emptyBody,
  errors: perSetting('plugins.delete.global', {
    deleted: ['not_found'],
    refused: ['not_found', 'validation_error'],
  }),

  find: findPluginToChange,
  handle({ row, organization, caller }, context) {
    return removePlugin(row, organization, caller, context)
  },
})
