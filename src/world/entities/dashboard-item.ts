import { randomText } from '../../utils/seeded-random.ts'
import { defineEntity, type FieldTable } from './field.ts'

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
  id: { kind: 'id' },
  project: { kind: 'reference', list: 'projects' },
  short_id: { kind: 'text', usual: ({ seed, id }) => randomText(seed, id, 8) },
  name: { kind: 'text', nullable: true },
} satisfies FieldTable<DashboardItemRow>)
