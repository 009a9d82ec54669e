import type { ApiCaller } from '../http/access.ts'
import type { LimitOffset } from '../http/page.ts'
import { Slice, toJsonText } from '../wire.ts'
import { organizationIndex } from '../world/list-names.ts'
import type { ProjectRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { Project } from './project.ts'

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
