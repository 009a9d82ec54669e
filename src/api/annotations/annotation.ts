import {
  type BodySchema,
  bodyOf,
  responseShape,
  type Shape,
} from '../../http/fields/body-fields.ts'
import { integerIdParameter, pathParameter } from '../../http/parameters.ts'
import {
  type Annotation,
  type AnnotationChanges,
  annotation,
} from '../../world/entities/annotation.ts'

export const annotationChanges: BodySchema<AnnotationChanges> = bodyOf(annotation)

export const annotationShape: Shape<Annotation> = responseShape(annotation)

/** `/api/projects/:project_id/annotations` */
export const projectParams = { project_id: pathParameter('Identifies the project.') }

/** `/api/projects/:project_id/annotations/:id` */
export const annotationParams = {
  ...projectParams,
  id: integerIdParameter('Identifies the annotation.'),
}
