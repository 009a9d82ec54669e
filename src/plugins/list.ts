import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { limit, offset } from '../http/parameters.ts'
import { inOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

export const listPlugins: Endpoint<World> = endpoint({
  id: 'listPlugins',
  summary: 'List all plugins, by id.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:read',

  params: inOrganization,
  query: { limit: limit('plugins.list.limit.default'), offset },
  status: 200,
  response: pageOf(plugin),
  errors: [],

  handle({ organization, query }, { plugins }) {
    return plugins.list(organization, query)
  },
})
