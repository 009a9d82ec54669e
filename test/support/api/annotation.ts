import type { RowJson } from '../../../src/world/world-json.ts'
import { usual } from './document.ts'

/** The first user of the worlds `default` and `empty`, as the author of an annotation. */
const ada = {
  id: 1,
  uuid: '018f2b6e-0000-7000-8000-000000000001',
  distinct_id: 'd1',
  first_name: 'Ada',
  last_name: 'Park',
  email: 'ada@example.com',
  is_email_verified: true,
  hedgehog_config: { use_as_profile: true, color: 'green', accessories: ['cap'] },
}

/** An annotation in a response, with all fields: that of an empty body, if nothing else is said. */
export function annotationBody(fields: object = {}): object {
  return { ...usual.annotation, created_by: ada, ...fields }
}

/** An annotation in a world, with all fields. */
export function annotationRow(
  fields: Partial<RowJson<'annotations'>> = {},
): RowJson<'annotations'> {
  const { insight_short_id: _, insight_name: __, ...own } = usual.annotation
  return { ...own, created_by: null, project: 1, ...fields } as RowJson<'annotations'>
}

/** The names of the fields of an annotation in a world, as a message lists them. */
export function annotationFields(except: readonly string[] = []): string {
  return Object.keys(annotationRow())
    .filter((name) => !except.includes(name))
    .join(', ')
}
