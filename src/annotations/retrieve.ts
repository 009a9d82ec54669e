import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { oneInProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { annotationSeen } from './find.ts'
import { searchOnLookup } from './search.ts'
import { annotation } from './shape.ts'

export const retrieveAnnotation: Endpoint<World> = endpoint({
  id: 'retrieveAnnotation',
  summary: 'Retrieve an annotation that is not deleted.',

  method: 'GET',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:read',

  params: oneInProject,
  query: searchOnLookup,
  status: 200,
  response: annotation,
  errors: ['not_found'],

  find: annotationSeen,
  handle({ subject }, { annotations }) {
    return annotations.show(subject)
  },
})
