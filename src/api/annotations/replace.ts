import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { annotationChanges, annotationParams, annotationShape } from './annotation.ts'
import { type AnnotationsWorld, findVisibleAnnotation, searchOnLookup } from './annotations.ts'

/** Undocumented. Like PATCH, since no field is required, but it does not find deleted annotations. */
export const replaceAnnotation: Endpoint<AnnotationsWorld> = defineEndpoint({
  id: 'replaceAnnotation',
  summary: 'Change an annotation that is not deleted. Works like PATCH.',

  method: 'PUT',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:write',
  enabled: byPolicy('methods.put', { off: false, on: true }),

  params: annotationParams,
  query: searchOnLookup,
  body: annotationChanges,
  status: 200,
  response: annotationShape,
  errors: ['not_found', ...bodyFailures],

  find: findVisibleAnnotation,
  handle({ subject, project, body }, { annotations }) {
    return annotations.change(subject, project, body)
  },
})
