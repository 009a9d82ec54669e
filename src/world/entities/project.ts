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
  uuid: { kind: 'uuid', inFiles: 'maybe', usual: ({ id }) => uuidFromNumber(id) },
  organization: { kind: 'reference', list: 'organizations' },
  api_token: { kind: 'text', inFiles: 'maybe', usual: ({ id }) => `phc_project_${id}` },
  name: { kind: 'text', inFiles: 'maybe', usual: ({ id }) => `Project ${id}` },
  completed_snippet_onboarding: { kind: 'flag', inFiles: 'maybe', usual: false },
  has_completed_onboarding_for: { kind: 'json', inFiles: 'maybe', usual: null },
  ingested_event: { kind: 'flag', inFiles: 'maybe', usual: false },
  is_demo: { kind: 'flag', inFiles: 'maybe', usual: false },
  timezone: { kind: 'text', inFiles: 'maybe', usual: 'UTC' },
  access_control: { kind: 'flag', inFiles: 'maybe', usual: false },
} satisfies FieldTable<ProjectRow>)
