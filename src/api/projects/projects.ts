import type { ApiCaller } from '../../http/endpoint.ts'
import { pickFields, responseShape, type Shape } from '../../http/fields/body-fields.ts'
import { type LimitOffset, type Slice, sliceRows } from '../../http/parameters.ts'
import { toJsonText } from '../../utils/json.ts'
import { type Project, project } from '../../world/entities/project.ts'
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
  list({ key, user }: ApiCaller, window: LimitOffset): Slice<Project> {
    const isAllowed = (id: string): boolean =>
      user.organizations.includes(id) &&
      (key.organizations.length === 0 || key.organizations.includes(id))
    const projects = [...this.#context.tables.projects.values()].filter(({ organization }) =>
      isAllowed(organization),
    )
    return sliceRows(
      projects.map((row) => toJsonText(pickFields(projectShape, row))),
      window,
    )
  }
}
