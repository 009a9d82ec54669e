import { draftActivity } from './activity.ts'
import { draftAnnotation } from './annotation.ts'
import type { ListName } from './made.ts'
import type { RowContext, RowDraft } from './making.ts'
import { draftPlugin, draftRepositoryEntry } from './plugin.ts'
import { draftPluginConfig } from './plugin-config.ts'

/** What a row gets that goes with other rows, or with other fields of its own. The models have the rest. */
export const rowDrafts: {
  readonly [List in ListName]: (making: RowContext<List>) => RowDraft<List>
} = {
  organizations: () => ({}),
  projects: ({ overrides, related, position }) => ({
    organization: overrides.organization ?? related.choose('organizations', position).id,
  }),
  users: draftUser,
  keys: draftKey,
  dashboard_items: ({ overrides, related, position }) => ({
    project: overrides.project ?? related.choose('projects', position).id,
  }),
  repository: draftRepositoryEntry,
  plugins: draftPlugin,
  plugin_configs: draftPluginConfig,
  annotations: draftAnnotation,
  activity: draftActivity,
}

/** The address follows from the name; the id makes it one of a kind. */
function draftUser({
  overrides,
  id,
  related,
  random,
  position,
}: RowContext<'users'>): RowDraft<'users'> {
  const first_name = overrides.first_name ?? random.firstName()
  const last_name = overrides.last_name ?? random.lastName()
  const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
  return {
    first_name,
    last_name,
    email: `${name}${id}@example.com`,
    organizations: overrides.organizations ?? [related.choose('organizations', position).id],
  }
}

function draftKey({ overrides, related }: RowContext<'keys'>): RowDraft<'keys'> {
  const scopes = overrides.scopes === undefined ? ['*'] : overrides.scopes
  const names = scopes?.join(', ').replace('*', 'all')
  const member = related.all('users').find(({ is_active }) => is_active)
  return {
    user: overrides.user ?? (member ?? related.choose('users')).id,
    scopes,
    label: names === undefined ? 'old' : names || 'none',
  }
}
