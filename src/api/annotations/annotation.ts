import { type ApiContext, defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { notFound } from '../../http/failures.ts'
import {
  type BodySchema,
  bodyOf,
  integer,
  responseShape,
  type Shape,
} from '../../http/fields/body-fields.ts'
import {
  bodyFailures,
  ignoredParameter,
  integerIdParameter,
  type Parameter,
  parentParameter,
  searchParameter,
} from '../../http/input.ts'
import { type CreateRowWriter, createRowWriter } from '../../http/written-rows.ts'
import { type PerSetting, perSetting } from '../../settings/setting.ts'
import {
  type Annotation,
  type AnnotationChanges,
  type AnnotationRow,
  annotation,
} from '../../world/entities/annotation.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { matchesTerms } from '../../world/search.ts'

export const annotationChanges: BodySchema<AnnotationChanges> = bodyOf(annotation)

export const annotationShape: Shape<Annotation> = responseShape(annotation)

export const annotationWriter: CreateRowWriter<AnnotationRow, Annotation> =
  createRowWriter(annotation)

/**
 * `/api/projects/:project_id/annotations`. The documentation calls the id a string. It is the `id` of a project, an
 * integer, so a generated client can pass on what it got.
 */
export const projectParams = {
  project_id: parentParameter(
    'Identifies the project: its `id`, which listProjects shows.',
    integer,
  ),
}

/** `/api/projects/:project_id/annotations/:id` */
export const annotationParams = {
  ...projectParams,
  id: integerIdParameter('Identifies the annotation.'),
}

/** By setting, the search parameter also filters operations on a single annotation. */
export const searchOnLookup: { readonly search: PerSetting<Parameter<readonly string[]>> } = {
  search: perSetting('annotations.search.reach', {
    list: ignoredParameter<readonly string[]>([]),
    every_lookup: searchParameter,
  }),
}

interface AnnotationInput {
  readonly project: ProjectRow
  readonly params: { readonly id: number }
  readonly query: { readonly search: readonly string[] }
}

/** Finds the annotation of a path, to show it. @throws Failure `not_found` */
export function findVisibleAnnotation(input: AnnotationInput, context: ApiContext): AnnotationRow {
  return find(input, context, context.settings['annotations.deleted.visibility'] !== 'hidden')
}

/** Finds the annotation of a path, to change it. PATCH also finds deleted ones, to restore them. @throws Failure `not_found` */
export function findAnnotationToChange(input: AnnotationInput, context: ApiContext): AnnotationRow {
  return find(input, context, context.settings['annotations.restore'] === 'restores')
}

function find(
  { project, params: { id }, query }: AnnotationInput,
  { tables }: ApiContext,
  includesDeleted: boolean,
): AnnotationRow {
  const row = tables.annotations.get(id)
  if (!row || !isVisibleTo(project, row)) {
    const owner = row ? ` (it belongs to project ${row.project})` : ''
    throw notFound(() => `no annotation ${id} in project ${project.id}${owner}`)
  }
  if (row.deleted && !includesDeleted) throw notFound(() => `annotation ${id} is deleted`)
  if (query.search.length === 0 || matchesTerms(row.content, query.search)) return row
  throw notFound(() => `annotation ${id} does not match the parameter search`)
}

/** Whether a project sees an annotation, deleted or not. */
export function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

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

    /** As the service's source has it: every save sets updated_at, and moves the annotation to the project of the path. */
    handle({ row, project, body }, context) {
      const { tables, clock } = context
      const changed = { ...row, project: project.id, updated_at: clock.iso(), ...body }
      return annotationWriter(context).writer.write(tables.annotations.put(changed))
    },
  })
}
