import type { ColumnHelpers } from './columns.ts'
import { jsonColumn, type Models, nullable, primaryKey } from './library.ts'
import { accessories, colors, itemNames, projectNames, zones } from './words.ts'

/** Organizations, their projects, users, keys and dashboard items, column by column. */
export function peopleModels({ fake, id, chance, pick }: ColumnHelpers): Models {
  return {
    organizations: {
      id: primaryKey(() => fake.string.uuid()),
      name: () => fake.company.name(),
      plugins_access_level: () => 9,
    },
    projects: {
      id,
      organization: String,
      name: () => pick(projectNames),
      uuid: () => fake.string.uuid(),
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      timezone: () => (chance(0.6) ? 'UTC' : pick(zones)),
      completed_snippet_onboarding: () => chance(0.8),
      has_completed_onboarding_for: jsonColumn(() =>
        chance(0.5) ? { product_analytics: true } : null,
      ),
      ingested_event: () => chance(0.9),
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
      is_email_verified: nullable(() => (chance(0.8) ? true : null)),
      hedgehog_config: jsonColumn(() =>
        chance(0.3)
          ? { use_as_profile: chance(0.5), color: pick(colors), accessories: [pick(accessories)] }
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
      name: nullable(() => (chance(0.92) ? pick(itemNames) : null)),
    },
  }
}
