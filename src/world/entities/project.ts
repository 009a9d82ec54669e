import type { Json, Mutable } from '../../utils/json.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

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

type Id = Pick<ProjectRow, 'id'>

export const project = defineEntity({
  id: field.id(),
  uuid: field
    .uuid()
    .default(({ id }: Id) => uuidFromNumber(id))
    .optional(),
  organization: field.reference('organizations'),
  api_token: field
    .text()
    .default(({ id }: Id) => `phc_project_${id}`)
    .optional(),
  name: field
    .text()
    .default(({ id }: Id) => `Project ${id}`)
    .optional(),
  completed_snippet_onboarding: field.flag().default(false).optional(),
  has_completed_onboarding_for: field.json().default(null).optional(),
  ingested_event: field.flag().default(false).optional(),
  is_demo: field.flag().default(false).optional(),
  timezone: field.text().default('UTC').optional(),
  access_control: field.flag().default(false).optional(),
} satisfies DeclaredFields<ProjectRow>)
