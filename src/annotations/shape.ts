import {
  anyJson,
  anyText,
  bool,
  integer,
  none,
  objectOf,
  orNone,
  recordOf,
  type Shape,
  textOf,
  when,
} from '../fields/shape.ts'
import type { Annotation, CreatedBy } from './annotation.ts'

const createdBy: Shape<CreatedBy> = objectOf({
  id: integer,
  uuid: textOf('uuid'),
  distinct_id: orNone(anyText),
  first_name: anyText,
  last_name: anyText,
  email: textOf('email'),
  is_email_verified: orNone(bool),
  hedgehog_config: orNone(recordOf(anyJson)),
})

const time = textOf('date-time')

/** Fields that the service added later (observed, Era). */
const sinceJuly2024 = when({ versioning: 'july_2024' }, none)

/** An annotation as it goes over the wire. */
export const annotation: Shape<Annotation> = objectOf({
  id: integer,
  content: orNone(anyText),
  date_marker: orNone(time),
  creation_type: anyText,
  dashboard_item: orNone(integer),
  insight_short_id: orNone(anyText),
  insight_name: orNone(anyText),
  created_by: orNone(createdBy),
  created_at: orNone(time),
  updated_at: time,
  deleted: bool,
  scope: anyText,
  dashboard_id: sinceJuly2024,
  dashboard_name: sinceJuly2024,
  insight_derived_name: sinceJuly2024,
})
