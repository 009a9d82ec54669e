import {
  anyJson,
  anyText,
  bool,
  formattedText,
  integer,
  nullableShape,
  nullShape,
  objectOf,
  recordOf,
  type Shape,
  whenPolicies,
} from '../fields/shape.ts'
import type { Annotation, CreatedBy } from './annotation.ts'

const createdByShape: Shape<CreatedBy> = objectOf({
  id: integer,
  uuid: formattedText('uuid'),
  distinct_id: nullableShape(anyText),
  first_name: anyText,
  last_name: anyText,
  email: formattedText('email'),
  is_email_verified: nullableShape(bool),
  hedgehog_config: nullableShape(recordOf(anyJson)),
})

const dateTimeShape = formattedText('date-time')

/** Fields that the service added later (observed, Era). */
const sinceJuly2024 = whenPolicies({ versioning: 'july_2024' }, nullShape)

/** An annotation as it goes over the wire. */
export const annotationShape: Shape<Annotation> = objectOf({
  id: integer,
  content: nullableShape(anyText),
  date_marker: nullableShape(dateTimeShape),
  creation_type: anyText,
  dashboard_item: nullableShape(integer),
  insight_short_id: nullableShape(anyText),
  insight_name: nullableShape(anyText),
  created_by: nullableShape(createdByShape),
  created_at: nullableShape(dateTimeShape),
  updated_at: dateTimeShape,
  deleted: bool,
  scope: anyText,
  dashboard_id: sinceJuly2024,
  dashboard_name: sinceJuly2024,
  insight_derived_name: sinceJuly2024,
})
