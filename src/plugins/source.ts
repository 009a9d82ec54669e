import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { pluginOwned } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import { sourceSchema } from './source-files.ts'
import type { OnPlugin, World } from './world.ts'

export const retrievePluginSource: Endpoint<World> = endpoint({
  id: 'retrievePluginSource',
  summary: 'Retrieve the source of a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id/source',
  scope: byPolicy('plugins.source.scope'),

  params: oneInOrganization,
  status: 200,
  response: byPolicy('plugins.source.body', { plugin, files: sourceSchema }),
  errors: ['not_found'],

  find: pluginOwned,
  handle: byPolicy('plugins.source.body', {
    plugin: ({ subject }: OnPlugin, { plugins }: World) => plugins.show(subject),
    files: ({ subject, organization }: OnPlugin, { extras }: World) =>
      extras.source(subject, organization),
  }),
})
