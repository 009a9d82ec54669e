import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { annotation, annotationChanges, oneInProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { searchOnLookup } from './search.ts'

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
  errors: [
    'not_found',
    'parse_error',
    'unsupported_media_type',
    'body_too_large',
    'validation_error',
  ],

  find({ project, params, query }, { annotations }) {
    return annotations.findToChange(project, params.id, query.search)
  },
  handle({ subject, project, body }, { annotations }) {
    return annotations.change(subject, project, body)
  },
})
