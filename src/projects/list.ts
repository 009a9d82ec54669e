import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { limit, offset } from '../http/parameters.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { project } from './project.ts'
import type { World } from './projects.ts'

/** Not one of the document's 18 operations, but where it sends the reader for the id of a project. */
export const listProjects: Endpoint<World> = endpoint({
  id: 'listProjects',
  summary: 'List the projects that the key reaches.',

  method: 'GET',
  path: '/api/projects',
  scope: byPolicy('projects.list.scope'),

  params: {},
  query: { limit: limit('projects.list.limit.default'), offset },
  status: 200,
  response: pageOf(project),
  errors: [],

  handle({ caller, query }, { projects }) {
    return projects.list(caller, query)
  },
})
