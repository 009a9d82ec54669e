import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pageShape } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import {
  activityEntryShape,
  activityPageShape,
  activityQuery,
  toActivityPage,
} from './activity-log.ts'
import type { PluginActivityInput, PluginsWorld } from './handler-input.ts'
import { organizationParams, pluginShape } from './plugin.ts'

export const listPluginActivity: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listPluginActivity',
  summary: 'List the activity log of plugins.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/activity',
  scope: byPolicy('plugins.activity.scope'),

  params: organizationParams,
  query: activityQuery,
  status: 200,
  response: byPolicy('plugins.activity.body', {
    plugin: pluginShape,
    page: activityPageShape,
    envelope: pageShape(activityEntryShape),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.activity.body', {
    plugin: ({ organization }: PluginActivityInput, { plugins }: PluginsWorld) =>
      plugins.lastChangedPlugin(organization),
    page: ({ caller, query, url }: PluginActivityInput, { plugins }: PluginsWorld) =>
      toActivityPage((window) => plugins.listActivity(caller, window), query, url),
    envelope: ({ caller, query }: PluginActivityInput, { plugins }: PluginsWorld) =>
      plugins.listActivity(caller, query),
  }),
})
