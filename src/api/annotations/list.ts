import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { limitParameter, offsetParameter } from '../../http/input.ts'
import { pageShape } from '../../http/pages.ts'
import { annotationShape, projectParams } from './annotation.ts'
import { pageOfAnnotations, search } from './annotations.ts'

/** Annotations without a date_marker come first. Deleted annotations are omitted. */
export const listAnnotations: Operation = defineEndpoint({
  operation: 'listAnnotations',
  list: 'annotations',
  verb: 'list',
  summary: 'List the annotations of a project, newest date_marker first.',

  method: 'GET',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:read',

  params: projectParams,
  query: {
    limit: limitParameter('annotations.list.limit.default'),
    offset: offsetParameter,
    search,
  },
  status: 200,
  response: pageShape(annotationShape),
  errors: [],

  handle({ project, query, url }, context) {
    return pageOfAnnotations(project, { ...query, url }, context)
  },
})
