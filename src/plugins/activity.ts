import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { activityEntry } from './activity-log.ts'
import { activityPage, activityQuery, toActivityPage } from './activity-page.ts'
import { inOrganization, plugin } from './plugin.ts'
import type { OnActivity, World } from './world.ts'

export const listPluginActivity: Endpoint<World> = endpoint({
  id: 'listPluginActivity',
  summary: 'Tell what was done to plugins.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/activity',
  scope: byPolicy('plugins.activity.scope'),

  params: inOrganization,
  query: activityQuery,
  status: 200,
  response: byPolicy('plugins.activity.body', {
    plugin,
    page: activityPage,
    envelope: pageOf(activityEntry),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.activity.body', {
    plugin: ({ organization }: OnActivity, { extras }: World) => extras.lastChanged(organization),
    page: ({ caller, query, url }: OnActivity, { extras }: World) =>
      toActivityPage((window) => extras.activity(caller, window), query, url),
    envelope: ({ caller, query }: OnActivity, { extras }: World) => extras.activity(caller, query),
  }),
})
