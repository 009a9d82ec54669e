import {
  type BodySchema,
  bodyOf,
  integer,
  responseShape,
  type Shape,
} from '../../http/fields/body-fields.ts'
import { integerIdParameter, placeParameter } from '../../http/input.ts'
import {
  type Annotation,
  type AnnotationChanges,
  annotation,
} from '../../world/entities/annotation.ts'

export const annotationChanges: BodySchema<AnnotationChanges> = bodyOf(annotation)

export const annotationShape: Shape<Annotation> = responseShape(annotation)

/**
 * `/api/projects/:project_id/annotations`. The documentation calls the id a string. It is the `id` of a project, an
 * integer, so a generated client can pass on what it got.
 */
export const projectParams = {
  project_id: placeParameter(
    'Identifies the project: its `id`, which listProjects shows.',
    integer,
  ),
}

/** `/api/projects/:project_id/annotations/:id` */
export const annotationParams = {
  ...projectParams,
  id: integerIdParameter('Identifies the annotation.'),
}
