import { parseDateTime } from '../../utils/python/date-time.ts'
import { annotationDefaults } from '../defaults.ts'
import type { AnnotationRow, Rows } from '../rows.ts'
import { type ListName, worldLists } from '../table/lists.ts'
import type { LazyWorldRows, Tables } from '../table/tables.ts'
import { uuidFromNumber } from '../world-format.ts'
import type { RowJson, WorldJson } from '../world-json.ts'

/** The facts about a row in a world file that its fields do not contain. */
interface RowPlace {
  /** The position in its list, from 0 */
  readonly index: number
  /** Returns the organization of a project. */
  organizationOf(project: number): string
}

/**
 * Completes the rows of a valid world. Rows share the values of their fields with the world, which must not change
 * afterwards.
 */
export function completeWorld(world: WorldJson): LazyWorldRows {
  const projects = (world.projects ?? []).map(({ id, organization }) => [id, organization] as const)
  const organizations = new Map(projects)
  const organizationOf = (project: number) => organizations.get(project) as string
  const lists = worldLists.map((list) => [list, completeLazily(list, world[list], organizationOf)])
  return Object.fromEntries(lists)
}

/** The result references one list of the world, so that the rest of it can be freed. */
function completeLazily(
  list: ListName,
  rows: readonly object[] = [],
  organizationOf: RowPlace['organizationOf'],
): () => object[] {
  const complete = completeRow[list] as (row: object, place: RowPlace) => object
  return () => rows.map((row, index) => complete(row, { index, organizationOf }))
}

/** Completes a row of a valid world: optional fields get their defaults, and times get the format of the service. */
const completeRow: {
  readonly [List in ListName]: (row: RowJson<List>, place: RowPlace) => Rows[List]
} = {
  organizations: (row) => ({ plugins_access_level: 9, ...row }),
  projects: (row) => ({
    name: `Project ${row.id}`,
    uuid: uuidFromNumber(row.id),
    api_token: `phc_project_${row.id}`,
    timezone: 'UTC',
    completed_snippet_onboarding: false,
    has_completed_onboarding_for: null,
    ingested_event: false,
    is_demo: false,
    access_control: false,
    ...row,
  }),
  users: (row) => ({ is_active: true, current_project: null, ...row }),
  keys: (row) => ({ label: row.value, projects: [], organizations: [], ...row }),
  dashboard_items: (row) => ({ ...row }),
  plugins: (row) => ({ source: {}, revision: 0, ...row }),
  plugin_configs(row) {
    const { created_at = defaultCreatedAt, updated_at = created_at } = row
    return {
      name: null,
      description: null,
      deleted: false,
      ...row,
      created_at: toCanonicalTime(created_at),
      updated_at: toCanonicalTime(updated_at),
    }
  },
  /** Optional fields of the entry become `extra`. */
  repository(entry, { index }) {
    const { name, url, description, verified, maintainer, versions = [], ...extra } = entry
    return { id: index + 1, name, url, description, verified, maintainer, versions, extra }
  },
  annotations(row, { organizationOf }) {
    // A spread of one object is copied fast. Merged with the defaults, it would take ten times as long.
    const complete = {
      ...row,
      date_marker: row.date_marker === null ? null : toCanonicalTime(row.date_marker),
      created_at: row.created_at === null ? null : toCanonicalTime(row.created_at),
      updated_at: toCanonicalTime(row.updated_at),
      organization: organizationOf(row.project),
    }
    return isCompleteAnnotation(complete)
      ? (complete as AnnotationRow)
      : { ...annotationDefaults, ...complete }
  },
  activity: (row) => ({ detail: {}, ...row, created_at: toCanonicalTime(row.created_at) }),
}

const defaultedFields = Object.keys(annotationDefaults)

function isCompleteAnnotation(row: object): boolean {
  return defaultedFields.every((name) => Object.hasOwn(row, name))
}

/** Completes a row that is added to these tables. */
export function completeRowIn<List extends ListName>(
  { projects, repository }: Tables,
  list: List,
  row: RowJson<List>,
): Rows[List] {
  return completeRow[list](row, {
    index: repository.nextId - 1,
    organizationOf: (project) => projects.get(project)?.organization as string,
  })
}

const defaultCreatedAt = '2024-01-01T00:00:00Z'
const canonicalTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/

/** Most times already have the format of the service. */
function toCanonicalTime(time: string): string {
  return canonicalTime.test(time) && !time.endsWith('.000000Z') ? time : parseDateTime(time)
}
