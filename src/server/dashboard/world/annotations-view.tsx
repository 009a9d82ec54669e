import { useState } from 'preact/hooks'
import type { AnnotationJson } from '../../../world/world-json.ts'
import { useAction, useProjects, useUsers } from '../kit/context.ts'
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

/** The annotations of the world, including deleted ones. */
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
      {value?.count === 0 && <EmptyState title="No annotations match the filter." />}
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

function AnnotationTable({ rows, actions, onEdit }: AnnotationTableProps) {
  const projectNames = new Map(useProjects().map(({ id, name }) => [id, name]))
  const userNames = new Map(
    useUsers().map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`.trim()]),
  )
  return (
    <ScrollArea label="Annotations">
      <table class="rows">
        <thead>
          <tr>
            <th class="number">ID</th>
            <th>Date</th>
            <th>Content</th>
            <th class="wide">Scope</th>
            <th class="wide">Project</th>
            <th class="wide">Author</th>
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <AnnotationTableRow
              key={row.id}
              {...{ row, actions, onEdit }}
              project={projectNames.get(row.project) ?? row.project}
              author={
                row.created_by === null ? null : (userNames.get(row.created_by) ?? row.created_by)
              }
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

interface AnnotationTableRowProps extends Omit<AnnotationTableProps, 'rows'> {
  readonly row: AnnotationJson
  /** The name, or the id if the name is not known. */
  readonly project: string | number
  readonly author: string | number | null
}

function AnnotationTableRow(props: AnnotationTableRowProps) {
  const { row, project, author, actions, onEdit } = props
  const { id, content, date_marker, scope, deleted } = row
  const run = useAction()
  const toggleDeleted = () =>
    run(`Annotation ${id} ${deleted ? 'restored' : 'deleted'}.`, () =>
      actions.update(id, { deleted: !deleted }),
    )
  return (
    <tr class={deleted ? 'deleted' : ''}>
      <td class="number">{id}</td>
      <td class="when">
        {date_marker === null ? <span class="dim">no date</span> : <ShortTime time={date_marker} />}
      </td>
      <td class="content">
        {content === null || content === '' ? <span class="dim">no content</span> : content}
        {deleted && <span class="tag bad">deleted</span>}
        <span class={`narrow scope ${scope}`}>{scope}</span>
      </td>
      <td class="wide">
        <span class={`scope ${scope}`}>{scope}</span>
      </td>
      <td class="wide" title={`Project ${row.project}`}>
        {project}
      </td>
      <td class="wide" title={author === null ? '' : `User ${row.created_by}`}>
        {author ?? <span class="dim">–</span>}
      </td>
      <td class="actions">
        <RowButton rowLabel={`annotation ${id}`} onClick={() => onEdit(row)}>
          Edit
        </RowButton>
        <RowButton rowLabel={`annotation ${id}`} onClick={toggleDeleted}>
          {deleted ? 'Restore' : 'Delete'}
        </RowButton>
      </td>
    </tr>
  )
}

/** Shows `2024-06-03T09:00:00.123456Z` as `2024-06-03 09:00`. The date never wraps. */
function ShortTime({ time }: { time: string }) {
  return (
    <time dateTime={time}>
      <span class="date">{time.slice(0, 10)}</span> {time.slice(11, 16)}
    </time>
  )
}
