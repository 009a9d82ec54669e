import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { objectOf } from '../../http/fields/body-fields.ts'
import { nestJson } from '../../utils/json.ts'
import { byBody, otherScope, pluginParams, pluginShape } from './plugin.ts'
import { checkForUpdates, findOwnPlugin } from './plugins.ts'

/** Sets latest_tag to the newest version of the catalogue. */
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
    const plugin = checkForUpdates(row, organization, context)
    return context.settings['plugins.other.body'] === 'plugin' ? plugin : nestJson('plugin', plugin)
  },
})
