import { randomText } from '../../utils/seeded-random.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

/** A dashboard item: annotations can be attached to it. */
export interface DashboardItemRow {
  readonly id: number
  /** The id of a project. */
  readonly project: number
  /** Sent as insight_short_id. */
  readonly short_id: string
  /** Sent as insight_name. */
  readonly name: string | null
}

export const dashboardItem = defineEntity({
  id: field.id(),
  project: field.reference('projects'),
  short_id: field.text().initial(({ seed, id }) => randomText(seed, id, 8)),
  name: field.text().nullable(),
} satisfies DeclaredFields<DashboardItemRow>)
