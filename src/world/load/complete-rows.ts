import { parseDateTime } from '../../utils/python/date-time.ts'
import { type Steps, stepSize } from '../../utils/steps.ts'
import { annotationDefaults } from '../defaults.ts'
import type { AnnotationRow, Mutable, Rows } from '../rows.ts'
import { type ListName, worldLists } from '../table/lists.ts'
import { copyAnnotation, type LazyWorldRows, type Tables } from '../table/tables.ts'
import { annotationScopes, uuidFromNumber } from '../world-format.ts'
import type { RowJson, WorldJson } from '../world-json.ts'

/** The facts about a row in a world file that its fields do not contain. */
interface RowPlace {
  /** The position in its list, from 0 */
  readonly index: number
  /** Returns the organization of a project. */
  organizationOf(project: number): string
}

/**
 * Completes the rows of a valid world when they are first used. Rows share the values of their fields with the world,
 * which must not change afterwards. Each list is referenced alone, so that the rest of the world can be freed.
 */
export function completeWorld(world: WorldJson): LazyWorldRows {
  const lists = listCompletions(world).map(([list, complete, rows]) => [
    list,
    () => rows.map(complete),
  ])
  return Object.fromEntries(lists)
}

/** Completes the rows of a valid world in place, in steps. */
export function* completeWorldInSteps(world: WorldJson): Steps<LazyWorldRows> {
  const lists: { [list: string]: () => readonly object[] } = {}
  for (const [list, complete, rows] of listCompletions(world)) {
    for (const [index, row] of rows.entries()) {
      rows[index] = complete(row, index)
      if (index % stepSize === 0) yield
    }
    lists[list] = () => rows
  }
  return lists as LazyWorldRows
}

type Completion = [list: ListName, complete: (row: object, index: number) => object, rows: object[]]

function listCompletions(world: WorldJson): Completion[] {
  const projects = (world.projects ?? []).map(({ id, organization }) => [id, organization] as const)
  const organizations = new Map(projects)
  const organizationOf = (project: number) => organizations.get(project) as string
  return worldLists.map((list) => {
    const complete = completeRow[list] as (row: object, place: RowPlace) => object
    const rows = (world[list] ?? []) as object[]
    return [list, (row, index) => complete(row, { index, organizationOf }), rows]
  })
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
      created_at: parseDateTime(created_at),
      updated_at: parseDateTime(updated_at),
    }
  },
  /** Optional fields of the entry become `extra`. */
  repository(entry, { index }) {
    const { name, url, description, verified, maintainer, versions = [], ...extra } = entry
    return { id: index + 1, name, url, description, verified, maintainer, versions, extra }
  },
  annotations(row, { organizationOf }) {
    const complete: Mutable<AnnotationRow> = lacksOrganization(row)
      ? row
      : copyAnnotation(isComplete(row) ? row : { ...annotationDefaults, ...row })
    complete.organization = organizationOf(row.project)
    complete.scope = sharedScopes.get(row.scope) ?? row.scope
    // Equal times share one string: a row that was not changed since it was created has two of them at least.
    const { date_marker, created_at, updated_at } = complete
    const updated = parseDateTime(updated_at)
    const share = (time: string | null) =>
      time === null ? null : time === updated ? updated : parseDateTime(time)
    complete.updated_at = updated
    complete.created_at = share(created_at)
    complete.date_marker = share(date_marker)
    return complete
  },
  activity: (row) => ({ detail: {}, ...row, created_at: parseDateTime(row.created_at) }),
}

/** A parser gives each row a text of its own. */
const sharedScopes: ReadonlyMap<string, string> = new Map(
  annotationScopes.map((scope) => [scope, scope]),
)

const defaultedFields = Object.keys(annotationDefaults)

/** Whether an annotation has all fields but its organization. */
export function isComplete(row: object): row is AnnotationRow {
  return defaultedFields.every((name) => Object.hasOwn(row, name))
}

/** Whether `checkRows` made a row: no other one has an organization that is undefined. */
export function lacksOrganization(row: object): row is AnnotationRow {
  return 'organization' in row && row.organization === undefined && 'content' in row
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
