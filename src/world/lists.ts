import type * as z from 'zod'
import {
  completeActivity,
  completeAnnotation,
  completePlugin,
  completePluginConfig,
  completeProject,
  completeUser,
} from './complete.ts'
import type { CountedRows } from './row-defaults.ts'
import type { AnnotationRow, DashboardItemRow } from './rows.ts'
import { dashboardItem, project, user } from './schema/people.ts'
import { activity, plugin, pluginConfig } from './schema/plugins.ts'
import { annotation } from './schema/world.ts'
import type { Tables } from './tables.ts'
import type { AnnotationJson, PluginJson } from './world-json.ts'

/** How the rows of a list are checked, and turned from the world format into what is stored and back. */
interface List {
  readonly schema: z.ZodType
  readonly toRow: (json: never, tables: Tables) => { readonly id: number }
  readonly toJson: (row: never) => object
}

const same = <Row>(row: Row): Row => row

/** The lists whose ids are counted. */
export const countedLists: { readonly [Name in keyof CountedRows]: List } = {
  projects: { schema: project, toRow: completeProject, toJson: same },
  users: { schema: user, toRow: completeUser, toJson: same },
  dashboard_items: { schema: dashboardItem, toRow: same<DashboardItemRow>, toJson: same },
  plugins: {
    schema: plugin,
    toRow(row: PluginJson, tables) {
      if (row.revision === undefined) tables.revision += 1
      return completePlugin({ revision: tables.revision, ...row })
    },
    toJson: same,
  },
  plugin_configs: { schema: pluginConfig, toRow: completePluginConfig, toJson: same },
  annotations: {
    schema: annotation,
    toRow(row: AnnotationJson, { projects }) {
      return completeAnnotation(row, projects.get(row.project)?.organization as string)
    },
    toJson: ({ organization: _, ...row }: AnnotationRow): AnnotationJson => row,
  },
  activity: { schema: activity, toRow: completeActivity, toJson: same },
}
