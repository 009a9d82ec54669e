import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { annotationParams } from './annotation.ts'
import type { AnnotationsWorld } from './annotations.ts'
import { findVisibleAnnotation } from './find.ts'
import { searchOnLookup } from './search.ts'
import { annotationShape } from './shape.ts'

export const retrieveAnnotation: Endpoint<AnnotationsWorld> = defineEndpoint({
  id: 'retrieveAnnotation',
  summary: 'Retrieve an annotation that is not deleted.',

  method: 'GET',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:read',

  params: annotationParams,
  query: searchOnLookup,
  status: 200,
  response: annotationShape,
  errors: ['not_found'],

  find: findVisibleAnnotation,
  handle({ subject }, { annotations }) {
    return annotations.serialize(subject)
  },
})
