import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { pageShape, toPage } from '../../http/pages.ts'
import {
  activityEntryShape,
  activityOf,
  activityPageShape,
  activityQuery,
  toActivityPage,
  writeActivity,
} from './activity-log.ts'
import { pluginsOf } from './install.ts'
import { writePluginIfAny } from './other-list.ts'
import { byBody, organizationParams, otherScope, pluginShape } from './plugin.ts'

export const listPluginActivity: Operation = defineEndpoint({
  operation: 'listPluginActivity',
  list: 'plugins',
  summary: 'List the activity log of plugins.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/activity',
  scope: otherScope('plugin:read'),

  params: organizationParams,
  query: activityQuery,
  status: 200,
  response: byBody(pluginShape, activityPageShape, pageShape(activityEntryShape)),
  errors: [],

  handle({ organization, caller, query, url }, context) {
    const { tables, settings } = context
    switch (settings['plugins.other.body']) {
      case 'plugin': {
        const [last] = pluginsOf(organization.id, tables).sort((a, b) => b.revision - a.revision)
        return writePluginIfAny(last, organization, context)
      }
      case 'specific':
        return toActivityPage(activityOf(caller, tables), { ...query, url }, tables)
      case 'envelope':
        return toPage(activityOf(caller, tables), { ...query, url }, writeActivity(tables))
    }
  },
})
