import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../world/world-json.ts'
import { Paging } from '../kit/paging.tsx'
import { Empty, Problem } from '../kit/states.tsx'
import { AddMany } from './add-many.tsx'
import {
  type AnnotationFilter,
  AnnotationFilterBar,
  noFilter,
  queryOf,
} from './annotation-filter.tsx'
import { AnnotationForm } from './annotation-form.tsx'
import { AnnotationTable } from './annotation-table.tsx'
import { useRowActions } from './row-actions.ts'
import { TimelineView } from './timeline-view.tsx'
import { pageSize, useRows } from './use-rows.ts'

/** The annotations of the world, deleted ones among them. */
export function AnnotationsView() {
  const [filter, setFilter] = useState<AnnotationFilter>(noFilter)
  const { value, error, reload, offset, setOffset, version } = useRows(
    'annotations',
    queryOf(filter),
  )
  const actions = useRowActions('annotations', reload)
  const [edited, setEdited] = useState<Partial<AnnotationJson> | null>(null)
  return (
    <>
      <AnnotationFilterBar filter={filter} setFilter={setFilter}>
        <button type="button" onClick={() => setEdited({})}>
          Add
        </button>
        <AddMany what="annotations" onAdd={actions.generate} />
      </AnnotationFilterBar>
      <TimelineView filter={filter} setFilter={setFilter} version={`${version} ${value?.count}`} />
      {error && <Problem error={error} onRetry={reload} />}
      {value?.count === 0 && <Empty title="No annotation is as the filter wants it." />}
      {value && value.count > 0 && (
        <>
          <AnnotationTable rows={value.rows} actions={actions} onEdit={setEdited} />
          <Paging {...{ offset }} count={value.count} limit={pageSize} onMove={setOffset} />
        </>
      )}
      {edited && <AnnotationForm row={edited} actions={actions} onClose={() => setEdited(null)} />}
    </>
  )
}
