import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../../world/world-json.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { ActionsHeader, Pagination, RowButton, ScrollArea } from '../kit/table.tsx'
import {
  type AnnotationFilter,
  AnnotationFilterBar,
  emptyAnnotationFilter,
  toAnnotationQuery,
} from './annotation-filter.tsx'
import { AnnotationForm } from './annotation-form.tsx'
import { GenerateRows } from './generate-rows.tsx'
import { TimelineView } from './timeline-view.tsx'
import { pageSize, type RowActions, useRowActions, useRows } from './use-rows.ts'

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

interface AnnotationTableProps {
  readonly rows: readonly AnnotationJson[]
  readonly actions: RowActions<'annotations'>
  readonly onEdit: (row: AnnotationJson) => void
}

/** Annotations as lines, each with what can be done with it. */
function AnnotationTable({ rows, actions, onEdit }: AnnotationTableProps) {
  return (
    <ScrollArea label="Annotations">
      <table class="rows">
        <thead>
          <tr>
            <th class="number">Id</th>
            <th>Date</th>
            <th>Content</th>
            <th class="wide">Scope</th>
            <th class="number wide">Project</th>
            <th class="number wide">By</th>
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <AnnotationTableRow key={row.id} {...{ row, actions, onEdit }} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

interface AnnotationTableRowProps extends Omit<AnnotationTableProps, 'rows'> {
  readonly row: AnnotationJson
}

function AnnotationTableRow({ row, actions, onEdit }: AnnotationTableRowProps) {
  const { id, content, date_marker, scope, project, created_by, deleted } = row
  const flip = () =>
    actions.update(
      id,
      { deleted: !deleted },
      `${deleted ? 'Restored' : 'Deleted'} annotation ${id}.`,
    )
  return (
    <tr class={deleted ? 'deleted' : ''}>
      <td class="number">{id}</td>
      <td class="when">
        {date_marker === null ? <span class="dim">none</span> : <ShortTime time={date_marker} />}
      </td>
      <td class="content">
        {content === null || content === '' ? <span class="dim">no content</span> : content}
        {deleted && <span class="tag bad">deleted</span>}
        <span class={`narrow scope ${scope}`}>{scope}</span>
      </td>
      <td class="wide">
        <span class={`scope ${scope}`}>{scope}</span>
      </td>
      <td class="number wide">{project}</td>
      <td class="number wide">{created_by ?? <span class="dim">–</span>}</td>
      <td class="actions">
        <RowButton rowLabel={`annotation ${id}`} onClick={() => onEdit(row)}>
          Edit
        </RowButton>
        <RowButton rowLabel={`annotation ${id}`} onClick={flip}>
          {deleted ? 'Restore' : 'Delete'}
        </RowButton>
      </td>
    </tr>
  )
}

/** `2024-06-03T09:00:00.123456Z` as `2024-06-03 09:00`. */
function ShortTime({ time }: { time: string }) {
  return (
    <time dateTime={time}>
      <span class="whole">{time.slice(0, 10)}</span> {time.slice(11, 16)}
    </time>
  )
}
