import { type ApiCaller, defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { type LimitOffset, pageShape } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import type { OrganizationRow } from '../../world/rows.ts'
import {
  activityEntryShape,
  activityPageShape,
  activityQuery,
  toActivityPage,
} from './activity-log.ts'
import { organizationParams, pluginShape } from './plugin.ts'
import type { PluginsWorld } from './plugin-endpoint.ts'

interface ActivityInput {
  readonly organization: OrganizationRow
  readonly caller: ApiCaller
  readonly query: LimitOffset & { readonly page: number }
  readonly url: string
}

export const listPluginActivity: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listPluginActivity',
  summary: 'List the activity log of plugins.',

  viewName: 'All activity',
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
  errors: byPolicy('plugins.extras.none', { empty_plugin: [], not_found: ['not_found'] }),

  handle: byPolicy('plugins.activity.body', {
    plugin: ({ organization }: ActivityInput, { plugins }: PluginsWorld) =>
      plugins.lastChangedPlugin(organization),
    page: ({ caller, query, url }: ActivityInput, { plugins }: PluginsWorld) =>
      toActivityPage((window) => plugins.listActivity(caller, window), query, url),
    envelope: ({ caller, query }: ActivityInput, { plugins }: PluginsWorld) =>
      plugins.listActivity(caller, query),
  }),
})
