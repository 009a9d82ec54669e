import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/page.ts'
import { limit, offset } from '../http/parameters.ts'
import { inProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { search } from './search.ts'
import { annotation } from './shape.ts'

/** Newest date_marker first, rows without one before all others; deleted annotations are left out. */
export const listAnnotations: Endpoint<World> = endpoint({
  id: 'listAnnotations',
  summary: 'List all annotations, newest date_marker first.',

  method: 'GET',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:read',

  params: inProject,
  query: { limit: limit('annotations.list.limit.default'), offset, search },
  status: 200,
  response: pageOf(annotation),
  errors: [],

  handle({ project, query }, { annotations }) {
    return annotations.list(project, query)
  },
})
