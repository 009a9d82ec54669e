import type { Rows } from '../rows.ts'
import { annotation } from './annotation.ts'
import type { Entity } from './field.ts'
import { activity, dashboardItem, key, organization, project, user } from './organization.ts'
import { plugin, pluginConfig, repositoryEntry } from './plugin.ts'

/** The entity of each list, in the order of a world file: each list comes after the lists that its rows reference. */
export const entities = {
  organizations: organization,
  projects: project,
  users: user,
  keys: key,
  dashboard_items: dashboardItem,
  repository: repositoryEntry,
  plugins: plugin,
  plugin_configs: pluginConfig,
  annotations: annotation,
  activity,
} satisfies { readonly [List in keyof Rows]: Entity }
