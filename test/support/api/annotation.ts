import type { Annotation } from '../../../src/index.ts'
import type { AnnotationJson } from '../../../src/world/world-json.ts'
import { shownFields } from './document.ts'
import { noon } from './paths.ts'

/** The first user of the worlds `default` and `empty`, as the author of an annotation. */
export const ada = {
  id: 1,
  uuid: '018f2b6e-0000-7000-8000-000000000001',
  distinct_id: 'd1',
  first_name: 'Ada',
  last_name: 'Park',
  email: 'ada@example.com',
  is_email_verified: true,
  hedgehog_config: { use_as_profile: true, color: 'green', accessories: ['cap'] },
}

/**
 * The annotation that an empty body creates, as a response shows it: each field of the documented example, in its order,
 * null where nothing else is said.
 */
const created = {
  ...Object.fromEntries(shownFields.annotation.map((name) => [name, null])),
  id: 1,
  creation_type: 'USR',
  created_by: ada,
  created_at: noon,
  updated_at: noon,
  deleted: false,
  scope: 'dashboard_item',
} as object as Annotation

/** An annotation in a response, with all fields. */
export function annotationBody(fields: object = {}): object {
  return { ...created, ...fields }
}

/** An annotation in a world, with all fields. */
export function annotationRow(fields: Partial<AnnotationJson> = {}): AnnotationJson {
  const { insight_short_id: _, insight_name: __, ...own } = created
  return { ...own, created_by: null, project: 1, ...fields }
}

/** The names of the fields of an annotation in a world, as a message lists them. */
export function annotationFields(except: readonly string[] = []): string {
  return Object.keys(annotationRow())
    .filter((name) => !except.includes(name))
    .join(', ')
}
