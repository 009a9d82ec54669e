import { integer, listOf } from '../fields/shape.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { joinRows, sliceOf } from '../wire.ts'
import { inOrganization, plugin } from './plugin.ts'
import { windowOf } from './window.ts'
import type { OnPlugins, World } from './world.ts'

export const listUnusedPlugins: Endpoint<World> = endpoint({
  id: 'listUnusedPlugins',
  summary: 'List the plugins that no configuration uses.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/unused',
  scope: byPolicy('plugins.unused.scope'),

  params: inOrganization,
  query: windowOf('plugins.unused.body', 'ids'),
  status: 200,
  response: byPolicy('plugins.unused.body', {
    plugin,
    ids: listOf(integer),
    envelope: pageOf(integer),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.unused.body', {
    plugin: ({ organization }: OnPlugins, { extras }: World) => extras.firstUnused(organization),
    ids: (_: OnPlugins, { extras }: World) => joinRows(extras.unusedIds()),
    envelope: ({ query }: OnPlugins, { extras }: World) => sliceOf(extras.unusedIds(), query),
  }),
})
