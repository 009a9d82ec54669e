import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pageShape } from '../../http/page.ts'
import { limitParameter, offsetParameter } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import type { ProjectsWorld } from './projects.ts'
import { projectShape } from './projects.ts'

/** Not one of the document's 18 operations, but where it sends the reader for the id of a project. */
export const listProjects: Endpoint<ProjectsWorld> = defineEndpoint({
  id: 'listProjects',
  summary: 'List the projects that the key reaches.',

  method: 'GET',
  path: '/api/projects',
  scope: byPolicy('projects.list.scope'),

  params: {},
  query: { limit: limitParameter('projects.list.limit.default'), offset: offsetParameter },
  status: 200,
  response: pageShape(projectShape),
  errors: [],

  handle({ caller, query }, { projects }) {
    return projects.list(caller, query)
  },
})
