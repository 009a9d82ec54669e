import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { limitParameter, offsetParameter, pageShape } from '../../http/parameters.ts'
import { bySetting } from '../../settings/by-setting.ts'
import { type ProjectsWorld, projectShape } from './projects.ts'

/** Not one of the 18 documented operations. The documentation refers to it for the id of a project. */
export const listProjects: Endpoint<ProjectsWorld> = defineEndpoint({
  id: 'listProjects',
  summary: 'List the projects that the key can access.',

  method: 'GET',
  path: '/api/projects',
  scope: bySetting('projects.list.scope', {
    any_key: 'any_key',
    'project:read': 'project:read',
    refused: 'refused',
  }),

  params: {},
  query: { limit: limitParameter('projects.list.limit.default'), offset: offsetParameter },
  status: 200,
  response: pageShape(projectShape),
  errors: [],

  handle({ caller, query }, { projects }) {
    return projects.list(caller, query)
  },
})
