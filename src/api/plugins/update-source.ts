import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import type { PluginChanges, SourceFiles } from '../../world/entities/plugin.ts'
import { pluginChanges, pluginParams, pluginShape } from './plugin.ts'
import { findPluginToChange, type PluginInput, type PluginsWorld } from './plugin-endpoint.ts'
import { sourceFilesBody, sourceFilesShape } from './source-files.ts'

/** The body has fields of the plugin. By policy it has source files, as in the live service. */
export const updatePluginSource: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'updatePluginSource',
  summary: 'Change the source of a plugin.',

  method: 'PATCH',
  path: '/api/organizations/:organization_id/plugins/:id/update_source',
  scope: byPolicy('plugins.update_source.scope'),

  params: pluginParams,
  body: byPolicy<'plugins.update_source.body', Record<'plugin' | 'files', BodySchema<unknown>>>(
    'plugins.update_source.body',
    { plugin: pluginChanges, files: sourceFilesBody },
  ),
  status: 200,
  response: byPolicy('plugins.update_source.body', {
    plugin: pluginShape,
    files: sourceFilesShape,
  }),
  errors: ['not_found', ...bodyFailures],

  find: findPluginToChange,
  handle: byPolicy('plugins.update_source.body', {
    plugin: ({ subject, organization, body }: PluginInput, { plugins }: PluginsWorld) =>
      plugins.change(subject, organization, body as PluginChanges),
    files: ({ subject, body }: PluginInput, { plugins }: PluginsWorld) =>
      plugins.updateSource(subject, body as SourceFiles),
  }),
})
