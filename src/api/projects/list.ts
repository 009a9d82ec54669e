import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { pageShape, responseShape, type Shape } from '../../http/fields/body-fields.ts'
import { limitParameter, offsetParameter } from '../../http/input.ts'
import { createRowWriter, toPage } from '../../http/written-rows.ts'
import { perSetting } from '../../settings/setting.ts'
import { type Project, type ProjectRow, project } from '../../world/entities/organization.ts'
import { foundRows } from '../../world/sorted-list.ts'

export const projectShape: Shape<Project> = responseShape(project)

const projectWriter = createRowWriter<ProjectRow, Project>(project)

/** Not one of the 18 documented operations. The documentation refers to it for the id of a project. */
export const listProjects: Operation = defineEndpoint({
  operation: 'listProjects',
  list: 'projects',
  verb: 'list',
  summary: 'List the projects that the key can access.',

  method: 'GET',
  path: '/api/projects',
  scope: perSetting('projects.list.scope', {
    any_key: 'any_key',
    'project:read': 'project:read',
    refused: 'refused',
  }),

  params: {},
  query: { limit: limitParameter('projects.list.limit.default'), offset: offsetParameter },
  status: 200,
  response: pageShape(projectShape),
  errors: [],

  /** A page of the projects that the key can access in the organizations of its user, by id. */
  handle({ caller: { key, user }, query, url }, context) {
    const isAllowed = (id: string) =>
      user.organizations.includes(id) &&
      (key.organizations.length === 0 || key.organizations.includes(id))
    const projects = [...context.tables.projects.values()].filter(({ organization }) =>
      isAllowed(organization),
    )
    // Without its rows: the rules about clients know nothing of projects.
    return toPage(foundRows(projects), { ...query, url }, () => projectWriter(context)).body
  },
})
