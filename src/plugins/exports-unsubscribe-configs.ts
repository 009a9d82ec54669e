import { listOf } from '../fields/shape.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { joinRows, sliceOf } from '../wire.ts'
import { pluginConfiguration } from './configurations.ts'
import { inOrganization, plugin } from './plugin.ts'
import { windowOf } from './window.ts'
import type { OnPlugins, World } from './world.ts'

export const listExportsUnsubscribeConfigs: Endpoint<World> = endpoint({
  id: 'listExportsUnsubscribeConfigs',
  summary: 'List the configurations that export data.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/exports_unsubscribe_configs',
  scope: byPolicy('plugins.exports_unsubscribe_configs.scope'),

  params: inOrganization,
  query: windowOf('plugins.exports_unsubscribe_configs.body', 'configurations'),
  status: 200,
  response: byPolicy('plugins.exports_unsubscribe_configs.body', {
    plugin,
    configurations: listOf(pluginConfiguration),
    envelope: pageOf(pluginConfiguration),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.exports_unsubscribe_configs.body', {
    plugin: ({ organization }: OnPlugins, { extras }: World) => extras.firstExporting(organization),
    configurations: ({ organization }: OnPlugins, { extras }: World) =>
      joinRows(extras.exportConfigurations(organization)),
    envelope: ({ organization, query }: OnPlugins, { extras }: World) =>
      sliceOf(extras.exportConfigurations(organization), query),
  }),
})
