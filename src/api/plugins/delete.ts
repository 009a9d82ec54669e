import { type ApiContext, defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import { emptyBody } from '../../http/fields/body-fields.ts'
import { perSetting } from '../../settings/setting.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import { recordActivity } from './list-activity.ts'
import { findPluginToChange, hasLevel, pluginParams } from './plugin.ts'

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
  /** Its configurations are deleted, too. */
  handle({ row, organization, caller }, context) {
    const { plugin_configs, plugins } = context.tables
    if (row.is_global && context.settings['plugins.delete.global'] === 'refused') {
      throw refusedGlobal(organization, context)
    }
    const configs = [...plugin_configs.values()].filter(({ plugin }) => plugin === row.id)
    for (const { id } of configs) plugin_configs.remove(id)
    plugins.remove(row.id)
    recordActivity('uninstalled', row, caller, context)
  },
})

/** It advises to make the plugin local, if the organization may. */
function refusedGlobal(organization: OrganizationRow, context: ApiContext) {
  const mayChange = hasLevel(organization, 'root', context)
  const cure = mayChange
    ? '; send PATCH with {"is_global": false} first'
    : `, and to make it local requires plugins_access_level 9, not ${organization.plugins_access_level}`
  const detail = 'This plugin is marked as global! Make it local before uninstallation'
  return new Failure('validation_error', detail, {
    check: 'row',
    reason: () => `a global plugin cannot be deleted${cure}`,
    ...(mayChange && { instead: { method: 'PATCH', fields: { is_global: false } } }),
  })
}
