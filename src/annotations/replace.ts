import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { annotationChanges, oneInProject } from './annotation.ts'
import type { World } from './annotations.ts'
import { annotationSeen } from './find.ts'
import { searchOnLookup } from './search.ts'
import { annotation } from './shape.ts'

/** Undocumented: as PATCH, since no field is required, but it does not find deleted annotations. */
export const replaceAnnotation: Endpoint<World> = endpoint({
  id: 'replaceAnnotation',
  summary: 'Change an annotation that is not deleted, by the rules of PATCH.',

  method: 'PUT',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:write',
  enabled: byPolicy('methods.put', { off: false, on: true }),

  params: oneInProject,
  query: searchOnLookup,
  body: annotationChanges,
  status: 200,
  response: annotation,
  errors: ['not_found', ...bodyErrors],

  find: annotationSeen,
  handle({ subject, project, body }, { annotations }) {
    return annotations.change(subject, project, body)
  },
})
