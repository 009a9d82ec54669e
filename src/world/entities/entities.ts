import type { Rows } from '../rows.ts'
import { activity } from './activity.ts'
import { annotation } from './annotation.ts'
import { dashboardItem } from './dashboard-item.ts'
import type { Entity } from './field.ts'
import { key } from './key.ts'
import { organization } from './organization.ts'
import { plugin } from './plugin.ts'
import { pluginConfig } from './plugin-config.ts'
import { project } from './project.ts'
import { repositoryEntry } from './repository-entry.ts'
import { user } from './user.ts'

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
