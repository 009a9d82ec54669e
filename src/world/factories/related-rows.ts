import type { ReferencedList } from '../entities/field.ts'
import type { ListName } from '../tables.ts'
import type { Faker, ModelRow } from './database.ts'

/** The rows of a row, by field. */
export type RelatedRows = Readonly<Record<string, ModelRow | null | undefined>>

interface RelationContext {
  /** The rows that the given fields refer to. The field of an unknown row is undefined */
  readonly given: RelatedRows
  /** The given scope of an annotation */
  readonly scope?: unknown
  readonly fake: Faker
  rows(list: ReferencedList): readonly ModelRow[]
  /** The rows of a list that refer to a row, such as the projects of an organization. */
  rowsOf(list: ReferencedList, row: ModelRow | null | undefined): readonly ModelRow[]
  /** Chooses a row to refer to. @returns undefined if there is none */
  choose(rows: readonly ModelRow[]): ModelRow | undefined
}

/**
 * The rows of a row that depend on each other, which no relation can say. Any other reference that a row must have leads
 * to any row of its list.
 */
export const relatedRows: {
  readonly [List in ListName]?: (context: RelationContext) => RelatedRows
} = {
  /** The plugin is one of the organization of the project. */
  plugin_configs({ given, rows, rowsOf, choose }) {
    const [fitting] = rowsOf('plugins', given.project?.organization)
    const plugin = given.plugin ?? fitting ?? choose(rows('plugins'))
    const project = choose(rowsOf('projects', plugin?.organization)) ?? choose(rows('projects'))
    return { plugin, project }
  },

  /** The dashboard item is one of the project, and the user a member of its organization. */
  annotations({ given, scope, fake, rows, rowsOf, choose }) {
    const project = given.project ?? given.dashboard_item?.project ?? choose(rows('projects'))
    const isDrawn = fake.datatype.boolean(0.7)
    const isOfItem = scope === undefined ? isDrawn : scope === 'dashboard_item'
    return {
      project,
      dashboard_item: isOfItem ? choose(rowsOf('dashboard_items', project)) : null,
      created_by: choose(rowsOf('users', project?.organization).filter(isActive)),
    }
  },

  /** The plugin is one of the organization, and the user a member. */
  activity({ given, rows, rowsOf, choose }) {
    const project = given.project === undefined ? choose(rows('projects')) : given.project
    const organization =
      given.organization ?? project?.organization ?? choose(rows('organizations'))
    return {
      project,
      organization,
      user: choose(rowsOf('users', organization).filter(isActive)),
      plugin: choose(rowsOf('plugins', organization)),
    }
  },
}

/** Whether other rows can refer to a row: to all but inactive users. */
export function isActive({ is_active = true }: ModelRow): boolean {
  return is_active
}
