import type { Endpoint } from '../http/endpoint.ts'
import type { AnnotationsWorld } from './annotations.ts'
import { createAnnotation } from './create.ts'
import { deleteAnnotation } from './delete.ts'
import { listAnnotations } from './list.ts'
import { replaceAnnotation } from './replace.ts'
import { retrieveAnnotation } from './retrieve.ts'
import { updateAnnotation } from './update.ts'

/** Every endpoint on annotations. */
export const annotationEndpoints: readonly Endpoint<AnnotationsWorld>[] = [
  listAnnotations,
  createAnnotation,
  retrieveAnnotation,
  replaceAnnotation,
  updateAnnotation,
  deleteAnnotation,
]
