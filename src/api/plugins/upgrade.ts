import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { fieldsOfVersion, findNewestVersion, tagFields } from './install.ts'
import {
  byBody,
  findPluginToChange,
  newPlugin,
  otherScope,
  pluginParams,
  pluginShape,
  pluginWriter,
  savePlugin,
} from './plugin.ts'

/** Upgrades to the newest version of the catalogue, as far as the setting `plugins.upgrade.effect` says. */
export const upgradePlugin: Operation = defineEndpoint({
  operation: 'upgradePlugin',
  list: 'plugins',
  verb: 'upgrade',
  summary: 'Upgrade a plugin to its newest version.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins/:id/upgrade',
  scope: otherScope('plugin:write'),

  params: pluginParams,
  body: byBody(newPlugin, null),
  status: 200,
  response: pluginShape,
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle({ row }, context) {
    const effect = context.settings['plugins.upgrade.effect']
    const newest = findNewestVersion(row.url, context.tables)
    const isKept = effect === 'reinstall' && ['source', 'local'].includes(row.plugin_type ?? '')
    if (!newest || effect === 'nothing' || isKept) return pluginWriter(context).write(row)
    const content = effect === 'reinstall' && fieldsOfVersion(newest)
    return savePlugin({ ...row, ...content, ...tagFields(newest) }, context)
  },
})
