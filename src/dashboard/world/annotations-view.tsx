import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../world/world-json.ts'
import { Pagination } from '../kit/paging.tsx'
import { EmptyState, ErrorMessage } from '../kit/states.tsx'
import { GenerateRows } from './add-many.tsx'
import {
  type AnnotationFilter,
  AnnotationFilterBar,
  emptyAnnotationFilter,
  toAnnotationQuery,
} from './annotation-filter.tsx'
import { AnnotationForm } from './annotation-form.tsx'
import { AnnotationTable } from './annotation-table.tsx'
import { useRowActions } from './row-actions.ts'
import { TimelineView } from './timeline-view.tsx'
import { pageSize, useRows } from './use-rows.ts'

/** The annotations of the world, deleted ones among them. */
export function AnnotationsView() {
  const [filter, setFilter] = useState<AnnotationFilter>(emptyAnnotationFilter)
  const { value, error, reload, offset, setOffset, version } = useRows(
    'annotations',
    toAnnotationQuery(filter),
  )
  const actions = useRowActions('annotations', reload)
  const [edited, setEdited] = useState<Partial<AnnotationJson> | null>(null)
  return (
    <>
      <AnnotationFilterBar filter={filter} setFilter={setFilter}>
        <button type="button" onClick={() => setEdited({})}>
          Add
        </button>
        <GenerateRows noun="annotations" onGenerate={actions.generate} />
      </AnnotationFilterBar>
      <TimelineView filter={filter} setFilter={setFilter} version={`${version} ${value?.count}`} />
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value?.count === 0 && <EmptyState title="No annotation is as the filter wants it." />}
      {value && value.count > 0 && (
        <>
          <AnnotationTable rows={value.rows} actions={actions} onEdit={setEdited} />
          <Pagination {...{ offset }} count={value.count} limit={pageSize} onChange={setOffset} />
        </>
      )}
      {edited && <AnnotationForm row={edited} actions={actions} onClose={() => setEdited(null)} />}
    </>
  )
}
