import type { ApiCaller } from '../../http/endpoint.ts'
import * as s from '../../http/fields/shape.ts'
import type { LimitOffset } from '../../http/parameters.ts'
import { Slice } from '../../utils/json-page.ts'
import { toJsonText } from '../../utils/json-text.ts'
import type { Mutable, ProjectRow } from '../../world/rows.ts'
import { organizationIndex } from '../../world/table/tables.ts'
import type { ApiContext } from '../context.ts'

/** A project, as the API lists it. */
export type Project = Mutable<ProjectRow>

export const projectShape: s.Shape<Project> = s.objectOf({
  id: s.integer,
  uuid: s.formattedText('uuid'),
  organization: s.formattedText('uuid'),
  api_token: s.anyText,
  name: s.anyText,
  completed_snippet_onboarding: s.bool,
  has_completed_onboarding_for: s.anyJson,
  ingested_event: s.bool,
  is_demo: s.bool,
  timezone: s.anyText,
  access_control: s.bool,
})

export interface ProjectsWorld {
  readonly projects: Projects
}

export class Projects {
  readonly #context: Pick<ApiContext, 'tables'>

  constructor(context: Pick<ApiContext, 'tables'>) {
    this.#context = context
  }

  /** A page of the projects that the key can access in the organizations of its user, by id. */
  list({ key, user }: ApiCaller, { limit, offset }: LimitOffset): Slice<Project> {
    const allowed = user.organizations.filter(
      (id) => key.organizations.length === 0 || key.organizations.includes(id),
    )
    const projects = this.#context.tables.projects.list(allowed.map(organizationIndex))
    const rows = projects.slice(offset, limit)
    const texts = rows.map(({ row }) => toJsonText(s.pickFields(projectShape, row)))
    return new Slice(texts, projects.size)
  }
}
