import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { pageShape } from '../../http/fields/body-fields.ts'
import { limitParameter, offsetParameter } from '../../http/input.ts'
import { toPage } from '../../http/written-rows.ts'
import { foundRows } from '../../world/sorted-list.ts'
import { isShownToAll, organizationParams, pluginShape, pluginWriter } from './plugin.ts'

export const listPlugins: Operation = defineEndpoint({
  operation: 'listPlugins',
  list: 'plugins',
  verb: 'list',
  summary: 'List the plugins that an organization sees, by id.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:read',

  params: organizationParams,
  query: { limit: limitParameter('plugins.list.limit.default'), offset: offsetParameter },
  status: 200,
  response: pageShape(pluginShape),
  errors: [],

  handle({ organization, query, url }, context) {
    const showsGlobal = isShownToAll(context)
    const plugins = [...context.tables.plugins.values()].filter(
      (row) => row.organization === organization.id || (row.is_global && showsGlobal),
    )
    return toPage(foundRows(plugins), { ...query, url }, () => pluginWriter(context))
  },
})
