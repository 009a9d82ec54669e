import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { pluginParams, pluginShape } from './plugin.ts'
import { findOwnPlugin, type PluginInput, type PluginsWorld } from './plugin-endpoint.ts'
import { sourceFilesShape } from './source-files.ts'

export const retrievePluginSource: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'retrievePluginSource',
  summary: 'Retrieve the source of a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id/source',
  scope: byPolicy('plugins.source.scope'),

  params: pluginParams,
  status: 200,
  response: byPolicy('plugins.source.body', { plugin: pluginShape, files: sourceFilesShape }),
  errors: ['not_found'],

  find: findOwnPlugin,
  handle: byPolicy('plugins.source.body', {
    plugin: ({ subject }: PluginInput, { plugins }: PluginsWorld) => plugins.serialize(subject),
    files: ({ subject, organization }: PluginInput, { plugins }: PluginsWorld) =>
      plugins.retrieveSource(subject, organization),
  }),
})
