import type { Columns } from './columns.ts'
import { json, type Models, nullable, primaryKey } from './library.ts'
import { accessories, colors, itemNames, projectNames, zones } from './words.ts'

/** Organizations, their projects, users, keys and dashboard items, column by column. */
export function peopleModels({ fake, id, share, oneOf }: Columns): Models {
  return {
    organizations: {
      id: primaryKey(() => fake.string.uuid()),
      name: () => fake.company.name(),
      plugins_access_level: () => 9,
    },
    projects: {
      id,
      organization: String,
      name: () => oneOf(projectNames),
      uuid: () => fake.string.uuid(),
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      timezone: () => (share(0.6) ? 'UTC' : oneOf(zones)),
      completed_snippet_onboarding: () => share(0.8),
      has_completed_onboarding_for: json(() => (share(0.5) ? { product_analytics: true } : null)),
      ingested_event: () => share(0.9),
      is_demo: () => false,
      access_control: () => false,
    },
    users: {
      id,
      uuid: () => fake.string.uuid(),
      distinct_id: nullable(() => fake.string.alphanumeric(24)),
      first_name: String,
      last_name: String,
      email: String,
      is_email_verified: nullable(() => (share(0.8) ? true : null)),
      hedgehog_config: json(() =>
        share(0.3)
          ? { use_as_profile: share(0.5), color: oneOf(colors), accessories: [oneOf(accessories)] }
          : null,
      ),
      organizations: Array,
      is_active: () => true,
      current_project: nullable<number>(() => null),
    },
    keys: {
      value: primaryKey(() => `phx_${fake.string.alphanumeric(40)}`),
      label: String,
      user: Number,
      scopes: nullable<string[]>(() => null),
      projects: () => [],
      organizations: () => [],
    },
    dashboard_items: {
      id,
      project: Number,
      short_id: () => fake.string.alphanumeric(8),
      name: nullable(() => (share(0.92) ? oneOf(itemNames) : null)),
    },
  }
}
