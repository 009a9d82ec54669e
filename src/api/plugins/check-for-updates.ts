import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { objectOf } from '../../http/fields/body-fields.ts'
import { JsonText } from '../../utils/json.ts'
import { findNewestVersion, tagFields } from './install.ts'
import {
  byBody,
  crashed,
  findOwnPlugin,
  otherScope,
  pluginParams,
  pluginShape,
  pluginWriter,
  requireLevel,
  savePlugin,
} from './plugin.ts'

/** Sets latest_tag to the newest version of the catalogue, if the plugin is in the catalogue. */
export const checkPluginForUpdates: Operation = defineEndpoint({
  operation: 'checkPluginForUpdates',
  list: 'plugins',
  verb: 'check',
  summary: 'Check for a newer version of a plugin.',

  method: 'GET',
  changesRows: true,
  path: '/api/organizations/:organization_id/plugins/:id/check_for_updates',
  scope: otherScope('plugin:read'),

  params: pluginParams,
  status: 200,
  response: byBody(pluginShape, objectOf({ plugin: pluginShape })),
  errors: ['not_found'],

  find: findOwnPlugin,
  handle({ row, organization }, context) {
    const detail = 'Plugin installation is not available for the current organization!'
    requireLevel(organization, 'install', context, detail)
    const isPlain = context.settings['plugins.other.body'] === 'plugin'
    if (row.url === null && !isPlain) throw crashed('the plugin has no url')
    const newest = findNewestVersion(row.url, context.tables)
    const plugin = newest
      ? savePlugin({ ...row, latest_tag: tagFields(newest).latest_tag }, context)
      : pluginWriter(context).write(row)
    return isPlain ? plugin : new JsonText(`{"plugin":${plugin.text}}`)
  },
})
