import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { JsonText } from '../../utils/json.ts'
import { type PluginRow, stripQuery } from '../../world/entities/plugin.ts'
import { nextRevision } from '../../world/tables.ts'
import { createPluginRow } from './install.ts'
import { recordActivity } from './list-activity.ts'
import { newPlugin, organizationParams, pluginShape, pluginWriter, requireLevel } from './plugin.ts'

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
    const { tables, settings } = context
    if (body.is_global === true) requireLevel(organization, 'root', context)
    const row = createPluginRow(body, organization, tables, settings)
    const inserted = tables.plugins.put({ ...row, revision: nextRevision(tables) })
    recordActivity('installed', inserted, caller, context)
    const sent = pluginWriter(context).writer.write(inserted)
    if (settings['headers.location'] === 'absent') return sent
    return new JsonText(sent.text, { location: locationOf(inserted) })
  },
})

/** As the service's source has it: Python's `str()` of the url, also of null. A header has ASCII characters only. */
function locationOf({ url }: PluginRow) {
  return url ? stripQuery(url).replace(/[^!-~]+/g, encodeURIComponent) : 'None'
}
