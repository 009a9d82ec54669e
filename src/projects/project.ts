import * as z from 'zod'
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

export const project: z.ZodType<Project> = z.object({
  id: z.int(),
  uuid: z.string().meta({ format: 'uuid' }),
  organization: z.string().meta({ format: 'uuid' }),
  api_token: z.string(),
  name: z.string(),
  completed_snippet_onboarding: z.boolean(),
  has_completed_onboarding_for: z.json() as z.ZodType<Json>,
  ingested_event: z.boolean(),
  is_demo: z.boolean(),
  timezone: z.string(),
  access_control: z.boolean(),
})
