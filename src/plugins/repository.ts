import { listOf } from '../fields/shape.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { joinRows, sliceOf } from '../wire.ts'
import { catalogueEntry } from './catalogue.ts'
import { inOrganization, plugin } from './plugin.ts'
import { windowOf } from './window.ts'
import type { OnPlugins, World } from './world.ts'

export const listPluginRepository: Endpoint<World> = endpoint({
  id: 'listPluginRepository',
  summary: 'List the catalogue of plugins.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/repository',
  scope: byPolicy('plugins.repository.scope'),

  params: inOrganization,
  query: windowOf('plugins.repository.body', 'catalogue'),
  status: 200,
  response: byPolicy('plugins.repository.body', {
    plugin,
    catalogue: listOf(catalogueEntry),
    envelope: pageOf(catalogueEntry),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.repository.body', {
    plugin: ({ organization }: OnPlugins, { extras }: World) =>
      extras.firstInCatalogue(organization),
    catalogue: (_: OnPlugins, { extras }: World) => joinRows(extras.catalogue()),
    envelope: ({ query }: OnPlugins, { extras }: World) => sliceOf(extras.catalogue(), query),
  }),
})
