import { type Body, bodyOf } from '../fields/body.ts'
import { boolean } from '../fields/boolean.ts'
import { type Choices, choice } from '../fields/choice.ts'
import { dateTime } from '../fields/date-time.ts'
import { orNull } from '../fields/field.ts'
import { keyOf } from '../fields/key.ts'
import { text } from '../fields/text.ts'
import { type Parameter, pathText, rowId } from '../http/parameters.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import { annotationScopes, creationTypes, lengths } from '../world/known.ts'
import type { Json } from '../world/rows.ts'

/** Who created an annotation, as it is shown in one. */
export interface CreatedBy {
  id: number
  /** UUID */
  uuid: string
  distinct_id: string | null
  first_name: string
  last_name: string
  email: string
  is_email_verified: boolean | null
  hedgehog_config: { [key: string]: Json } | null
}

/** Policies may know more words than the document. */
type Other = string & {}

/** How an annotation came to be: by a user, or from a commit. */
export type CreationType = 'USR' | 'GIT' | Other

/** Where an annotation is seen. */
export type AnnotationScope = 'dashboard_item' | 'project' | 'organization' | Other

/** An annotation as it goes over the wire (the document, Annotation; nulls: observed §9.5). */
export interface Annotation {
  id: number
  content: string | null
  /** ISO 8601, UTC */
  date_marker: string | null
  creation_type: CreationType
  dashboard_item: number | null
  /** Of the dashboard item */
  insight_short_id: string | null
  /** Of the dashboard item */
  insight_name: string | null
  created_by: CreatedBy | null
  /** ISO 8601, UTC */
  created_at: string | null
  /** ISO 8601, UTC; set by every save */
  updated_at: string
  /** The soft-delete flag */
  deleted: boolean
  scope: AnnotationScope
}

/** What a body may say of an annotation: nothing is required (observed §4). */
export interface AnnotationChanges {
  content?: string | null
  date_marker?: string | null
  creation_type?: CreationType
  dashboard_item?: number | null
  deleted?: boolean
  scope?: AnnotationScope
}

const types: Resolvable<Choices> = byPolicy('annotations.creation_type.values', {
  observed: creationTypes,
  any: 'any',
})

const scopes: Resolvable<Choices> = byPolicy('annotations.scope.values', {
  may_2024: ['dashboard_item', 'project', 'organization'],
  july_2024: ['dashboard_item', 'dashboard', 'project', 'organization'],
  ever_seen: annotationScopes,
  any: 'any',
})

export const annotationChanges: Body<AnnotationChanges> = bodyOf({
  content: orNull(text(lengths.annotation.content)),
  date_marker: orNull(dateTime),
  creation_type: choice(types),
  dashboard_item: orNull(keyOf('dashboard_items')),
  deleted: boolean,
  scope: choice(scopes),
})

/** `/api/projects/:project_id/annotations` */
export const inProject: { readonly project_id: Parameter<string> } = {
  project_id: pathText('Identifies the project.'),
}

/** `/api/projects/:project_id/annotations/:id` */
export const oneInProject: typeof inProject & { readonly id: Parameter<number> } = {
  ...inProject,
  id: rowId('Identifies the annotation.'),
}
