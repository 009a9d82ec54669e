import type { Operation } from '../../http/endpoint.ts'
import { defineUpdate, findAnnotationToChange } from './annotation.ts'

/** `{ deleted: true }` soft-deletes: the row is hidden, and stays. */
export const updateAnnotation: Operation = defineUpdate({
  operation: 'updateAnnotation',
  list: 'annotations',
  verb: 'update',
  summary: 'Change an annotation. Setting deleted to true soft-deletes it.',
  method: 'PATCH',
  find: findAnnotationToChange,
})
