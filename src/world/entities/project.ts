import type { Json, Mutable } from '../../utils/json.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import { defineEntity, type FieldTable } from './field.ts'

/** A project of an organization: annotations belong to it. */
export interface ProjectRow {
  readonly id: number
  readonly uuid: string
  /** The id of an organization. */
  readonly organization: string
  readonly api_token: string
  readonly name: string
  readonly completed_snippet_onboarding: boolean
  readonly has_completed_onboarding_for: Json
  readonly ingested_event: boolean
  readonly is_demo: boolean
  readonly timezone: string
  readonly access_control: boolean
}

/** A project, as the API lists it. */
export type Project = Mutable<ProjectRow>

export const project = defineEntity({
  id: { kind: 'id' },
  uuid: { kind: 'uuid', complete: ({ id }) => uuidFromNumber(id), optional: true },
  organization: { kind: 'reference', list: 'organizations' },
  api_token: { kind: 'text', complete: ({ id }) => `phc_project_${id}`, optional: true },
  name: { kind: 'text', complete: ({ id }) => `Project ${id}`, optional: true },
  completed_snippet_onboarding: { kind: 'flag', default: false, optional: true },
  has_completed_onboarding_for: { kind: 'json', default: null, optional: true },
  ingested_event: { kind: 'flag', default: false, optional: true },
  is_demo: { kind: 'flag', default: false, optional: true },
  timezone: { kind: 'text', default: 'UTC', optional: true },
  access_control: { kind: 'flag', default: false, optional: true },
} satisfies FieldTable<ProjectRow>)
