import type { AnnotationJson } from '../../world/world-json.ts'
import { ActionsHeader, RowButton } from '../kit/row-actions.tsx'
import { ScrollArea } from '../kit/scroll.tsx'
import type { RowActions } from './row-actions.ts'

interface AnnotationTableProps {
  readonly rows: readonly AnnotationJson[]
  readonly actions: RowActions<'annotations'>
  readonly onEdit: (row: AnnotationJson) => void
}

/** Annotations as lines, each with what can be done with it. */
export function AnnotationTable({ rows, actions, onEdit }: AnnotationTableProps) {
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
