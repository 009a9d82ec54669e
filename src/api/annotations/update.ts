import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { bodyFailures } from '../../http/input.ts'
import {
  annotationChanges,
  annotationParams,
  annotationShape,
  findAnnotationToChange,
  searchOnLookup,
  writeAnnotation,
} from './annotation.ts'

/** `{ deleted: true }` soft-deletes: the row is hidden, and stays. */
export const updateAnnotation: Operation = defineUpdate({
  operation: 'updateAnnotation',
  list: 'annotations',
  verb: 'update',
  summary: 'Change an annotation. Setting deleted to true soft-deletes it.',
  method: 'PATCH',
  find: findAnnotationToChange,
})

/** Defines an operation that changes the annotation of the path. @param own what PATCH and PUT have of their own */
export function defineUpdate(
  own: Pick<Operation, 'operation' | 'list' | 'verb' | 'summary' | 'method' | 'enabled'> & {
    readonly find: typeof findAnnotationToChange
  },
): Operation {
  return defineEndpoint({
    ...own,
    path: '/api/projects/:project_id/annotations/:id',
    scope: 'annotation:write',

    params: annotationParams,
    query: searchOnLookup,
    body: annotationChanges,
    status: 200,
    response: annotationShape,
    errors: ['not_found', ...bodyFailures],

    /** Seen in the live service: every save sets updated_at, and moves the annotation to the project of the path. */
    handle({ row, project, body }, context) {
      const { tables, clock } = context
      const changed = { ...row, project: project.id, updated_at: clock.iso(), ...body }
      return writeAnnotation(context, true)(tables.annotations.put(changed))
    },
  })
}
