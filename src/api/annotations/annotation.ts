import { type BodySchema, bodyOfFields, nullableField } from '../../http/fields/field.ts'
import {
  booleanField,
  type ChoiceValues,
  choiceField,
  dateTimeField,
  foreignKeyField,
  textField,
} from '../../http/fields/field-types.ts'
import * as s from '../../http/fields/shape.ts'
import { integerIdParameter, type Parameter, pathParameter } from '../../http/parameters.ts'
import { byPolicy, type Resolvable } from '../../policies/by-policy.ts'
import type { annotationDefaults } from '../../world/defaults.ts'
import type { AnnotationRow, Mutable, UserRow } from '../../world/rows.ts'
import { annotationScopes, creationTypes, maxLengths } from '../../world/world-format.ts'

/** The user who created an annotation. */
export type CreatedBy = Mutable<Omit<UserRow, 'organizations' | 'is_active' | 'current_project'>>

/** Policies can allow more values than the documented ones. */
type OtherValue = string & {}

/** The origin of an annotation: a user, or a commit. */
export type CreationType = 'USR' | 'GIT' | OtherValue

/** Where an annotation is visible. */
export type AnnotationScope = 'dashboard_item' | 'project' | 'organization' | OtherValue

/** An annotation, as the API returns it. */
export interface Annotation
  extends Mutable<Omit<AnnotationRow, 'project' | 'organization' | 'created_by'>> {
  creation_type: CreationType
  /** The short id of the dashboard item */
  insight_short_id: string | null
  /** The name of the dashboard item */
  insight_name: string | null
  created_by: CreatedBy | null
  scope: AnnotationScope
}

/** The request body to create or change an annotation. Every field is optional. */
export type AnnotationChanges = Partial<Pick<Annotation, keyof typeof annotationDefaults>>

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

export const createdByShape: s.Shape<CreatedBy> = s.objectOf({
  id: s.integer,
  uuid: s.formattedText('uuid'),
  distinct_id: s.nullableShape(s.anyText),
  first_name: s.anyText,
  last_name: s.anyText,
  // Stored addresses can break the format `email` of JSON Schema.
  email: s.anyText,
  is_email_verified: s.nullableShape(s.bool),
  hedgehog_config: s.whenPolicies(
    { versioning: ['none', 'july_2024'] },
    s.nullableShape(s.recordOf(s.anyJson)),
  ),
})

const dateTimeShape = s.formattedText('date-time')

/** Fields that the live service added in July 2024. `laterFields` in serialize.ts writes them. */
const sinceJuly2024 = s.whenPolicies({ versioning: ['july_2024'] }, s.nullShape)

export const annotationShape: s.Shape<Annotation> = s.objectOf({
  id: s.integer,
  content: s.nullableShape(s.anyText),
  date_marker: s.nullableShape(dateTimeShape),
  creation_type: s.anyText,
  dashboard_item: s.nullableShape(s.integer),
  insight_short_id: s.nullableShape(s.anyText),
  insight_name: s.nullableShape(s.anyText),
  created_by: s.nullableShape(createdByShape),
  created_at: s.nullableShape(dateTimeShape),
  updated_at: dateTimeShape,
  deleted: s.bool,
  scope: s.anyText,
  dashboard_id: sinceJuly2024,
  dashboard_name: sinceJuly2024,
  insight_derived_name: sinceJuly2024,
})
