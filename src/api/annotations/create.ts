import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import { type AnnotationRow, annotation } from '../../world/entities/annotation.ts'
import {
  annotationChanges,
  annotationShape,
  annotationWriter,
  projectParams,
} from './annotation.ts'

/** No field is required: an empty body creates an annotation with default values. */
export const createAnnotation: Operation = defineEndpoint({
  operation: 'createAnnotation',
  list: 'annotations',
  verb: 'create',
  summary: 'Create an annotation as the user of the key.',

  method: 'POST',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:write',

  params: projectParams,
  body: annotationChanges,
  status: 201,
  response: annotationShape,
  errors: bodyFailures,

  handle({ project, caller, body }, context) {
    const { annotations } = context.tables
    const now = context.clock.iso()
    const row = annotation.create<AnnotationRow>({
      id: annotations.nextId,
      created_by: caller.user.id,
      created_at: now,
      updated_at: now,
      project: project.id,
      organization: project.organization,
    })
    return annotationWriter(context).writer.write(annotations.put({ ...row, ...body }))
  },
})
