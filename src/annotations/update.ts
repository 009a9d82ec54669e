import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { annotationChanges, oneInProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { annotationToChange } from './find.ts'
import { searchOnLookup } from './search.ts'
import { annotation } from './shape.ts'

/** Soft delete lives here: `{ deleted: true }` hides the row, and the row stays. */
export const updateAnnotation: Endpoint<World> = endpoint({
  id: 'updateAnnotation',
  summary: 'Change an annotation, or remove it by setting deleted to true.',

  method: 'PATCH',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:write',

  params: oneInProject,
  query: searchOnLookup,
  body: annotationChanges,
  status: 200,
  response: annotation,
  errors: ['not_found', ...bodyErrors],

  find: annotationToChange,
  handle({ subject, project, body }, { annotations }) {
    return annotations.change(subject, project, body)
  },
})
