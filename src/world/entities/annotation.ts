import { perSetting } from '../../settings/setting.ts'
import type { Mutable } from '../../utils/json.ts'
import { defineEntity, type FieldFacts, type FieldsWith, type FieldTable } from './field.ts'
import { type CreatedBy, user } from './organization.ts'

/** An annotation: a note at a moment in time, in a project. */
export interface AnnotationRow {
  readonly id: number
  /** At most 400 characters. */
  readonly content: string | null
  /**
   * The annotated moment. Annotations without one are listed before all others.
   *
   * ISO 8601, UTC with Z, with six digits of fraction or none.
   */
  readonly date_marker: string | null
  readonly creation_type: string
  /** The id of a dashboard item. */
  readonly dashboard_item: number | null
  /** The id of a user. */
  readonly created_by: number | null
  readonly created_at: string | null
  /** ISO 8601, UTC. Each update by a request sets it. */
  readonly updated_at: string
  /** Hidden, but kept. A PATCH with deleted: false restores the annotation. */
  readonly deleted: boolean
  /** organization: visible in each project of the organization. */
  readonly scope: AnnotationScope
  /** The id of a project. */
  readonly project: number
  /** UUID of the project's organization; not in world files */
  readonly organization: string
}

/** Settings can allow more values than the documented ones. */
type OtherValue = string & {}

type CreationType = 'USR' | 'GIT' | OtherValue

/** Where an annotation is visible: a documented value, or one that the live service had at some time. */
type AnnotationScope =
  | 'dashboard_item'
  | 'project'
  | 'organization'
  | 'dashboard'
  | 'recording'
  | 'tag'

/** An annotation, as the API returns it. */
export interface Annotation
  extends Mutable<Omit<AnnotationRow, 'project' | 'organization' | 'created_by'>> {
  creation_type: CreationType
  /** The short id of the dashboard item */
  insight_short_id: string | null
  /** The name of the dashboard item */
  insight_name: string | null
  created_by: CreatedBy | null
}

/** Fields that the live service added in July 2024. They are always null. */
interface LaterFields {
  dashboard_id: null
  dashboard_name: null
  insight_derived_name: null
}

const creationTypes = ['USR', 'GIT']

/** The values of `scope` of the service's source. */
const annotationScopes = [
  'dashboard_item',
  'dashboard',
  'project',
  'organization',
  'recording',
  'tag',
]

const addedInJuly2024 = {
  kind: 'nothing',
  inFiles: 'never',
  sent: { when: ['july_2024'] },
} as const satisfies FieldFacts<AnnotationRow>

function ofItem(name: string) {
  const from = { reference: 'dashboard_item', name }
  return { kind: 'text', nullable: true, inFiles: 'never', sent: { from } } as const
}

export const annotation = defineEntity({
  id: { kind: 'id' },
  content: { kind: 'text', max: 400, nullable: true, body: {} },
  date_marker: { kind: 'time', nullable: true, body: {} },
  creation_type: {
    kind: 'choice',
    values: creationTypes,
    usual: 'USR',
    body: {
      words: perSetting('annotations.creation_type.values', { usr_git: creationTypes, any: 'any' }),
    },
  },
  dashboard_item: {
    kind: 'reference',
    list: 'dashboard_items',
    nullable: true,
    body: {},
  },
  insight_short_id: ofItem('short_id'),
  insight_name: ofItem('name'),
  created_by: { kind: 'reference', list: 'users', nullable: true, sent: { embedded: user } },
  created_at: { kind: 'time', nullable: true, usual: ({ clock }) => clock.iso() },
  updated_at: { kind: 'time' },
  deleted: { kind: 'flag', usual: false, body: {} },
  scope: {
    kind: 'choice',
    values: annotationScopes,
    usual: 'dashboard_item',
    body: {
      words: perSetting('annotations.scope.values', {
        may_2024: ['dashboard_item', 'project', 'organization'],
        july_2024: ['dashboard_item', 'dashboard', 'project', 'organization'],
        ever_seen: annotationScopes,
        any: 'any',
      }),
    },
  },
  dashboard_id: addedInJuly2024,
  dashboard_name: addedInJuly2024,
  insight_derived_name: addedInJuly2024,
  project: { kind: 'reference', list: 'projects', sent: false },
  organization: {
    kind: 'reference',
    list: 'organizations',
    inFiles: 'never',
    usual: ({ project }, { organizationOf }) => organizationOf(project),
    sent: false,
  },
} satisfies FieldTable<AnnotationRow, Annotation & LaterFields>)

/** The request body to create or change an annotation. Every field is optional. */
export type AnnotationChanges = Partial<
  Pick<Annotation, FieldsWith<typeof annotation, { body: object }>>
>
