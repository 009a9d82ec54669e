import type { CountedRows } from '../defaults.ts'
import {
  completeActivity,
  completeAnnotation,
  completePlugin,
  completePluginConfig,
  completeProject,
  completeUser,
} from '../load/complete-rows.ts'
import { toAnnotationJson } from '../load/export-world.ts'
import type { DashboardItemRow } from '../rows.ts'
import type { ListName } from '../table/lists.ts'
import type { Tables } from '../table/tables.ts'
import type { AnnotationJson, CountedList, PluginJson } from '../world-json.ts'

/** A row as JSON, by field. */
export type RowJson = Readonly<Record<string, unknown>>

/** Converts a row to the world format, keys included. Returns null for no row. */
export function toRowJson(list: ListName, row: object | undefined): RowJson | null {
  if (row === undefined) return null
  const isCounted = Object.hasOwn(rowFormats, list)
  return (isCounted ? rowFormats[list as CountedList].toJson(row as never) : row) as RowJson
}

/** Whether two JSON values are equal. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** Converts the rows of a list between the world format and stored rows. */
interface RowFormat {
  readonly toRow: (json: never, tables: Tables) => { readonly id: number }
  readonly toJson: (row: never) => object
}

const identity = <Row>(row: Row): Row => row

/** The formats of the lists whose ids are counted up. */
export const rowFormats: { readonly [List in keyof CountedRows]: RowFormat } = {
  projects: { toRow: completeProject, toJson: identity },
  users: { toRow: completeUser, toJson: identity },
  dashboard_items: { toRow: identity<DashboardItemRow>, toJson: identity },
  plugins: {
    toRow(row: PluginJson, tables) {
      if (row.revision === undefined) tables.pluginRevision += 1
      return completePlugin({ revision: tables.pluginRevision, ...row })
    },
    toJson: identity,
  },
  plugin_configs: { toRow: completePluginConfig, toJson: identity },
  annotations: {
    toRow(row: AnnotationJson, { projects }) {
      return completeAnnotation(row, projects.get(row.project)?.organization as string)
    },
    toJson: toAnnotationJson,
  },
  activity: { toRow: completeActivity, toJson: identity },
}
