import { draftActivity } from './activity.ts'
import { draftAnnotation } from './annotation.ts'
import type { ListName } from './made.ts'
import type { Draft, Making } from './making.ts'
import { draftPlugin, draftRepositoryEntry } from './plugin.ts'
import { draftPluginConfig } from './plugin-config.ts'

/** What a row gets that goes with other rows, or with other fields of its own. The models have the rest. */
export const drafts: { readonly [List in ListName]: (making: Making<List>) => Draft<List> } = {
  organizations: () => ({}),
  projects: ({ given, places, part }) => ({
    organization: given.organization ?? places.one('organizations', part).id,
  }),
  users: draftUser,
  keys: draftKey,
  dashboard_items: ({ given, places, part }) => ({
    project: given.project ?? places.one('projects', part).id,
  }),
  repository: draftRepositoryEntry,
  plugins: draftPlugin,
  plugin_configs: draftPluginConfig,
  annotations: draftAnnotation,
  activity: draftActivity,
}

/** The address follows from the name; the id makes it one of a kind. */
function draftUser({ given, id, places, dice, part }: Making<'users'>): Draft<'users'> {
  const first_name = given.first_name ?? dice.firstName()
  const last_name = given.last_name ?? dice.lastName()
  const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
  return {
    first_name,
    last_name,
    email: `${name}${id}@example.com`,
    organizations: given.organizations ?? [places.one('organizations', part).id],
  }
}

function draftKey({ given, places }: Making<'keys'>): Draft<'keys'> {
  const scopes = given.scopes === undefined ? ['*'] : given.scopes
  const names = scopes?.join(', ').replace('*', 'all')
  const member = places.all('users').find(({ is_active }) => is_active)
  return {
    user: given.user ?? (member ?? places.one('users')).id,
    scopes,
    label: names === undefined ? 'old' : names || 'none',
  }
}
