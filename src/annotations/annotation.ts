import { type BodySchema, bodyOfFields } from '../fields/body.ts'
import { booleanField } from '../fields/boolean.ts'
import { type ChoiceValues, choiceField } from '../fields/choice.ts'
import { dateTimeField } from '../fields/date-time.ts'
import { nullableField } from '../fields/field.ts'
import { foreignKeyField } from '../fields/key.ts'
import { textField } from '../fields/text.ts'
import { integerIdParameter, type Parameter, pathParameter } from '../http/parameters.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import { annotationScopes, creationTypes, maxLengths } from '../world/known.ts'
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
type OtherValue = string & {}

/** How an annotation came to be: by a user, or from a commit. */
export type CreationType = 'USR' | 'GIT' | OtherValue

/** Where an annotation is seen. */
export type AnnotationScope = 'dashboard_item' | 'project' | 'organization' | OtherValue

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

const creationTypeChoices: Resolvable<ChoiceValues> = byPolicy('annotations.creation_type.values', {
  observed: creationTypes,
  any: 'any',
})

const scopeChoices: Resolvable<ChoiceValues> = byPolicy('annotations.scope.values', {
  may_2024: ['dashboard_item', 'project', 'organization'],
  july_2024: ['dashboard_item', 'dashboard', 'project', 'organization'],
  ever_seen: annotationScopes,
  any: 'any',
})

export const annotationChanges: BodySchema<AnnotationChanges> = bodyOfFields({
  content: nullableField(textField(maxLengths.annotation.content)),
  date_marker: nullableField(dateTimeField),
  creation_type: choiceField(creationTypeChoices),
  dashboard_item: nullableField(foreignKeyField('dashboard_items')),
  deleted: booleanField,
  scope: choiceField(scopeChoices),
})

/** `/api/projects/:project_id/annotations` */
export const projectParams: { readonly project_id: Parameter<string> } = {
  project_id: pathParameter('Identifies the project.'),
}

/** `/api/projects/:project_id/annotations/:id` */
export const annotationParams: typeof projectParams & { readonly id: Parameter<number> } = {
  ...projectParams,
  id: integerIdParameter('Identifies the annotation.'),
}
