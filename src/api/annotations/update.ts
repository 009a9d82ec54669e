import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { annotationChanges, annotationParams, annotationShape } from './annotation.ts'
import { changeAnnotation, findAnnotationToChange, searchOnLookup } from './annotations.ts'

/** `{ deleted: true }` soft-deletes: the row is hidden, and stays. */
export const updateAnnotation: Operation = defineEndpoint({
  operation: 'updateAnnotation',
  list: 'annotations',
  verb: 'update',
  summary: 'Change an annotation. Setting deleted to true soft-deletes it.',

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
  handle({ subject, project, body }, context) {
    return changeAnnotation(subject, project, body, context)
  },
})
