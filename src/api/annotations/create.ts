import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { annotationChanges, annotationShape, projectParams } from './annotation.ts'
import { addAnnotation } from './annotations.ts'

/** No field is required: an empty body creates an annotation with default values. */
export const createAnnotation: Operation = defineEndpoint({
  operation: 'createAnnotation',
  list: 'annotations',
  verb: 'create',
  summary: 'Create an annotation as the user of the key.',

  method: 'POST',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:write',
  scopesPatch: true,

  params: projectParams,
  body: annotationChanges,
  status: 201,
  response: annotationShape,
  errors: bodyFailures,

  handle({ project, caller, body }, context) {
    return addAnnotation(project, caller, body, context)
  },
})
