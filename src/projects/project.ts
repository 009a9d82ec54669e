import {
  anyJson,
  anyText,
  bool,
  formattedText,
  integer,
  objectOf,
  type Shape,
} from '../fields/shape.ts'
import type { Json } from '../world/rows.ts'

/** A project as the project listing shows it (observed §6). */
export interface Project {
  id: number
  /** UUID */
  uuid: string
  /** UUID */
  organization: string
  api_token: string
  name: string
  completed_snippet_onboarding: boolean
  has_completed_onboarding_for: Json
  ingested_event: boolean
  is_demo: boolean
  timezone: string
  access_control: boolean
}

export const projectShape: Shape<Project> = objectOf({
  id: integer,
  uuid: formattedText('uuid'),
  organization: formattedText('uuid'),
  api_token: anyText,
  name: anyText,
  completed_snippet_onboarding: bool,
  has_completed_onboarding_for: anyJson,
  ingested_event: bool,
  is_demo: bool,
  timezone: anyText,
  access_control: bool,
})
