import type { ComponentChildren } from 'preact'
import type { AnnotationQuery } from '../../../world/edit/find-rows.ts'
import { useProjectOptions, useVocabulary } from '../kit/context.ts'
import { bindFields, Input, SearchField, Select } from '../kit/fields.tsx'

export const emptyAnnotationFilter = {
  search: '',
  project: '',
  scope: '',
  state: 'all' as 'all' | 'live' | 'deleted',
  /** A day, as a date field has it: 2024-06-01 */
  since: '',
  until: '',
}
export type AnnotationFilter = typeof emptyAnnotationFilter

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

const stateOptions = [
  ['all', 'All (incl. deleted)'],
  ['live', 'Not deleted'],
  ['deleted', 'Deleted'],
] as const

interface AnnotationFilterBarProps {
  readonly filter: AnnotationFilter
  readonly setFilter: (filter: AnnotationFilter) => void
  readonly children: ComponentChildren
}

export function AnnotationFilterBar({ filter, setFilter, children }: AnnotationFilterBarProps) {
  const projects = [['', 'All projects'] as const, ...useProjectOptions()]
  const scopes = [['', 'All scopes'] as const, ...(useVocabulary()?.annotation_scopes ?? [])]
  const field = bindFields(filter, setFilter)
  return (
    <div class="toolbar">
      <SearchField placeholder="Search content" {...field('search')} />
      <Select label="Project" hideLabel options={projects} {...field('project')} />
      <Select label="Scope" hideLabel options={scopes} {...field('scope')} />
      <Select label="State" hideLabel options={stateOptions} {...field('state')} />
      <Input label="From" class="check" type="date" {...field('since')} />
      <Input label="until" class="check" type="date" {...field('until')} />
      <div class="actions">{children}</div>
    </div>
  )
}
