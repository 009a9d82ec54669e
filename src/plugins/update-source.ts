import type { Body } from '../fields/body.ts'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import type { SourceFiles } from '../world/rows.ts'
import { type PluginChanges, pluginChanges } from './changes.ts'
import { pluginToChange } from './find.ts'
import { oneInOrganization, plugin } from './plugin.ts'
import { sourceFiles, sourceSchema } from './source-files.ts'
import type { OnPlugin, World } from './world.ts'

/** Takes fields of the plugin, or by policy what the live service takes: source files. */
export const updatePluginSource: Endpoint<World> = endpoint({
  id: 'updatePluginSource',
  summary: 'Change the source of a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id/update_source',
  scope: byPolicy('plugins.update_source.scope'),

  params: oneInOrganization,
  body: byPolicy<'plugins.update_source.body', Record<'plugin' | 'files', Body<unknown>>>(
    'plugins.update_source.body',
    { plugin: pluginChanges, files: sourceFiles },
  ),
  status: 200,
  response: byPolicy('plugins.update_source.body', { plugin, files: sourceSchema }),
  errors: ['not_found', ...bodyErrors],

  find: pluginToChange,
  handle: byPolicy('plugins.update_source.body', {
    plugin: ({ subject, organization, body }: OnPlugin, { plugins }: World) =>
      plugins.change(subject, organization, body as PluginChanges),
    files: ({ subject, body }: OnPlugin, { extras }: World) =>
      extras.updateSource(subject, body as SourceFiles),
  }),
})
