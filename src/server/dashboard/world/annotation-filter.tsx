import type { ComponentChildren } from 'preact'
import type { AnnotationQuery } from '../../../world/edit/find-rows.ts'
import { useProjects, useVocabulary } from '../kit/context.ts'

/** What is typed and chosen above the table. */
export interface AnnotationFilter {
  readonly search: string
  readonly project: string
  readonly scope: string
  readonly state: 'all' | 'live' | 'deleted'
  /** Days, as the fields of a browser have them: 2024-06-01 */
  readonly since: string
  readonly until: string
}

export const emptyAnnotationFilter: AnnotationFilter = {
  search: '',
  project: '',
  scope: '',
  state: 'all',
  since: '',
  until: '',
}

/** @example queryOf({ ...noFilter, state: 'deleted' }) // { deleted: true } */
export function toAnnotationQuery(filter: AnnotationFilter): AnnotationQuery {
  const { search, project, scope, state, since, until } = filter
  return {
    ...(search !== '' && { search }),
    ...(project !== '' && { project: Number(project) }),
    ...(scope !== '' && { scope }),
    ...(state !== 'all' && { deleted: state === 'deleted' }),
    ...(since !== '' && { since: `${since}T00:00:00Z` }),
    ...(until !== '' && { until: `${until}T00:00:00Z` }),
  }
}

interface AnnotationFilterBarProps {
  readonly filter: AnnotationFilter
  readonly setFilter: (filter: AnnotationFilter) => void
  readonly children: ComponentChildren
}

/** What is looked for among annotations. */
export function AnnotationFilterBar({ filter, setFilter, children }: AnnotationFilterBarProps) {
  const projects = useProjects()
  const words = useVocabulary()
  const field = (name: keyof AnnotationFilter) => ({
    value: filter[name],
    onInput: (event: Event) =>
      setFilter({ ...filter, [name]: (event.currentTarget as HTMLInputElement).value }),
  })
  return (
    <div class="toolbar">
      <label class="grow">
        <span class="unseen">Search</span>
        <input type="search" placeholder="Search in content" {...field('search')} />
      </label>
      <label>
        <span class="unseen">Project</span>
        <select {...field('project')}>
          <option value="">Any project</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {id} {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Scope</span>
        <select {...field('scope')}>
          <option value="">Any scope</option>
          {words?.annotation_scopes.map((scope) => (
            <option key={scope}>{scope}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">State</span>
        <select {...field('state')}>
          <option value="all">Deleted or not</option>
          <option value="live">Not deleted</option>
          <option value="deleted">Deleted</option>
        </select>
      </label>
      <label class="check">
        From <input type="date" {...field('since')} />
      </label>
      <label class="check">
        before <input type="date" {...field('until')} />
      </label>
      {children}
    </div>
  )
}
