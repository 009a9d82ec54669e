import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { annotationChanges, inProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { annotation } from './shape.ts'

/** No field is required: an empty body creates an annotation of defaults. */
export const createAnnotation: Endpoint<World> = endpoint({
  id: 'createAnnotation',
  summary: 'Create an annotation, by the user of the key.',

  method: 'POST',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:write',

  params: inProject,
  body: annotationChanges,
  status: 201,
  response: annotation,
  errors: bodyErrors,

  handle({ project, caller, body }, { annotations }) {
    return annotations.create(project, caller, body)
  },
})
