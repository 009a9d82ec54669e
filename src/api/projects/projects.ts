import type { ApiCaller } from '../../http/endpoint.ts'
import { pickFields, responseShape, type Shape } from '../../http/fields/body-fields.ts'
import type { LimitOffset } from '../../http/parameters.ts'
import { toJsonText } from '../../utils/json.ts'
import { Slice } from '../../utils/json-page.ts'
import { type Project, project } from '../../world/entities/project.ts'
import { organizationIndex } from '../../world/table/tables.ts'
import type { ApiContext } from '../context.ts'

export const projectShape: Shape<Project> = responseShape(project)

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
    const texts = rows.map(({ row }) => toJsonText(pickFields(projectShape, row)))
    return new Slice(texts, projects.size)
  }
}
