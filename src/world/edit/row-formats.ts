import type * as z from 'zod'
import type { CountedRows } from '../defaults.ts'
import {
  completeActivity,
  completeAnnotation,
  completePlugin,
  completePluginConfig,
  completeProject,
  completeUser,
} from '../load/complete-rows.ts'
import type { AnnotationRow, DashboardItemRow } from '../rows.ts'
import {
  activitySchema,
  dashboardItemSchema,
  pluginConfigSchema,
  pluginSchema,
  projectSchema,
  userSchema,
} from '../schema/row-schemas.ts'
import { annotationSchema } from '../schema/world-schema.ts'
import type { Tables } from '../table/tables.ts'
import type { AnnotationJson, PluginJson } from '../world-json.ts'

/** How the rows of a list are checked, and turned from the world format into what is stored and back. */
interface RowFormat {
  readonly schema: z.ZodType
  readonly toRow: (json: never, tables: Tables) => { readonly id: number }
  readonly toJson: (row: never) => object
}

const identity = <Row>(row: Row): Row => row

/** The lists whose ids are counted. */
export const rowFormats: { readonly [Name in keyof CountedRows]: RowFormat } = {
  projects: { schema: projectSchema, toRow: completeProject, toJson: identity },
  users: { schema: userSchema, toRow: completeUser, toJson: identity },
  dashboard_items: {
    schema: dashboardItemSchema,
    toRow: identity<DashboardItemRow>,
    toJson: identity,
  },
  plugins: {
    schema: pluginSchema,
    toRow(row: PluginJson, tables) {
      if (row.revision === undefined) tables.pluginRevision += 1
      return completePlugin({ revision: tables.pluginRevision, ...row })
    },
    toJson: identity,
  },
  plugin_configs: { schema: pluginConfigSchema, toRow: completePluginConfig, toJson: identity },
  annotations: {
    schema: annotationSchema,
    toRow(row: AnnotationJson, { projects }) {
      return completeAnnotation(row, projects.get(row.project)?.organization as string)
    },
    toJson: ({ organization: _, ...row }: AnnotationRow): AnnotationJson => row,
  },
  activity: { schema: activitySchema, toRow: completeActivity, toJson: identity },
}
