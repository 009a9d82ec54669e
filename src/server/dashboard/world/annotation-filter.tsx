import type { ComponentChildren } from 'preact'
import type { AnnotationQuery } from '../../../world/edit/find-rows.ts'
import { useProjects, useVocabulary } from '../kit/context.ts'
import { bindFields } from '../kit/form.tsx'
import { SearchField } from '../kit/table.tsx'

/** The values of the filter fields above the table. */
export interface AnnotationFilter {
  readonly search: string
  readonly project: string
  readonly scope: string
  readonly state: 'all' | 'live' | 'deleted'
  /** A day, as a date field has it: 2024-06-01 */
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

/** @example toAnnotationQuery({ ...emptyAnnotationFilter, state: 'deleted' }) // { deleted: true } */
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
  /** Buttons at the end of the bar. */
  readonly children: ComponentChildren
}

export function AnnotationFilterBar({ filter, setFilter, children }: AnnotationFilterBarProps) {
  const projects = useProjects()
  const vocabulary = useVocabulary()
  const field = bindFields(filter, setFilter)
  return (
    <div class="toolbar">
      <SearchField
        placeholder="Search content"
        value={filter.search}
        onChange={(search) => setFilter({ ...filter, search })}
      />
      <label>
        <span class="visually-hidden">Project</span>
        <select {...field('project')}>
          <option value="">All projects</option>
          {projects.map(({ id, name }) => (
            <option key={id} value={String(id)}>
              {name} ({id})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">Scope</span>
        <select {...field('scope')}>
          <option value="">All scopes</option>
          {vocabulary?.annotation_scopes.map((scope) => (
            <option key={scope}>{scope}</option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">State</span>
        <select {...field('state')}>
          <option value="all">All (incl. deleted)</option>
          <option value="live">Not deleted</option>
          <option value="deleted">Deleted</option>
        </select>
      </label>
      <label class="check">
        From <input type="date" {...field('since')} />
      </label>
      <label class="check">
        until <input type="date" {...field('until')} />
      </label>
      <div class="actions">{children}</div>
    </div>
  )
}
