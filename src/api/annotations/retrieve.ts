import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import {
  annotationParams,
  annotationShape,
  annotationWriter,
  findVisibleAnnotation,
  searchOnLookup,
} from './annotation.ts'

export const retrieveAnnotation: Operation = defineEndpoint({
  operation: 'retrieveAnnotation',
  list: 'annotations',
  verb: 'retrieve',
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
  handle({ row }, context) {
    return annotationWriter(context).write(row)
  },
})
