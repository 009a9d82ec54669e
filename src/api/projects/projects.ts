import type { ApiCaller } from '../../http/authenticate.ts'
import {
  anyJson,
  anyText,
  bool,
  formattedText,
  integer,
  objectOf,
  type Shape,
} from '../../http/fields/shape.ts'
import type { LimitOffset } from '../../http/page.ts'
import { Slice, toJsonText } from '../../utils/json-text.ts'
import type { Json, ProjectRow } from '../../world/rows.ts'
import { organizationIndex, type Tables } from '../../world/table/tables.ts'

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

/** What endpoints on projects work with. */
export interface ProjectsWorld {
  readonly projects: Projects
}

export class Projects {
  readonly #world: { readonly tables: Tables }

  constructor(world: { readonly tables: Tables }) {
    this.#world = world
  }

  /** Every project of the caller's organizations that the key is not kept from, by id (observed §6). */
  list({ key, user }: ApiCaller, { limit, offset }: LimitOffset): Slice<Project> {
    const allowed = user.organizations.filter(
      (id) => key.organizations.length === 0 || key.organizations.includes(id),
    )
    const found = this.#world.tables.projects.list(allowed.map(organizationIndex))
    const rows = found.slice(offset, limit)
    return new Slice(
      rows.map(({ row }) => toJsonText(toProject(row))),
      found.size,
    )
  }
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    uuid: row.uuid,
    organization: row.organization,
    api_token: row.api_token,
    name: row.name,
    completed_snippet_onboarding: row.completed_snippet_onboarding,
    has_completed_onboarding_for: row.has_completed_onboarding_for,
    ingested_event: row.ingested_event,
    is_demo: row.is_demo,
    timezone: row.timezone,
    access_control: row.access_control,
  }
}
