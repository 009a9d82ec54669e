import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { limitParameter, offsetParameter } from '../../http/input.ts'
import { pageShape } from '../../http/pages.ts'
import { organizationParams, pluginShape } from './plugin.ts'
import { pageOfPlugins } from './plugins.ts'

export const listPlugins: Operation = defineEndpoint({
  operation: 'listPlugins',
  list: 'plugins',
  verb: 'list',
  summary: 'List the plugins of an organization, by id.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:read',

  params: organizationParams,
  query: { limit: limitParameter('plugins.list.limit.default'), offset: offsetParameter },
  status: 200,
  response: pageShape(pluginShape),
  errors: [],

  handle({ organization, query, url }, context) {
    return pageOfPlugins(organization, { ...query, url }, context)
  },
})
