import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { annotationChanges, annotationParams, annotationShape } from './annotation.ts'
import type { AnnotationsWorld } from './annotations.ts'
import { findAnnotationToChange } from './annotations.ts'
import { searchOnLookup } from './filter.ts'

/** Soft delete lives here: `{ deleted: true }` hides the row, and the row stays. */
export const updateAnnotation: Endpoint<AnnotationsWorld> = defineEndpoint({
  id: 'updateAnnotation',
  summary: 'Change an annotation, or remove it by setting deleted to true.',

  method: 'PATCH',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:write',

  params: annotationParams,
  query: searchOnLookup,
  body: annotationChanges,
  status: 200,
  response: annotationShape,
  errors: ['not_found', ...bodyFailures],

  find: findAnnotationToChange,
  handle({ subject, project, body }, { annotations }) {
    return annotations.change(subject, project, body)
  },
})
