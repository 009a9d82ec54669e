import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pageShape } from '../../http/parameters.ts'
import { bySetting } from '../../settings/by-setting.ts'
import {
  activityEntryShape,
  activityPageShape,
  activityQuery,
  toActivityPage,
} from './activity-log.ts'
import { byBody, extraScope, organizationParams, pluginShape } from './plugin.ts'
import type { PluginsWorld } from './plugin-endpoint.ts'

export const listPluginActivity: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listPluginActivity',
  summary: 'List the activity log of plugins.',

  viewName: 'All activity',
  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/activity',
  scope: extraScope('plugin:read'),

  params: organizationParams,
  query: activityQuery,
  status: 200,
  response: byBody(pluginShape, activityPageShape, pageShape(activityEntryShape)),
  errors: bySetting('plugins.extras.none', { empty_plugin: [], not_found: ['not_found'] }),

  handle({ organization, caller, query, url, settings }, { plugins }) {
    switch (settings['plugins.extras.body']) {
      case 'plugin':
        return plugins.lastChangedPlugin(organization)
      case 'own':
        return toActivityPage((window) => plugins.listActivity(caller, window), query, url)
      case 'envelope':
        return plugins.listActivity(caller, query)
    }
  },
})
