import { useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { JsonField, parseJson, useSubmit } from '../kit/form.tsx'
import { ActionsHeader, Pagination, RowButton, ScrollArea, SearchField } from '../kit/table.tsx'
import { pageSize, type RowActions, type RowListName, useRowActions, useRows } from './use-rows.ts'

const otherListNames: readonly RowListName[] = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugin_configs',
  'activity',
]

/** The lists without a view of their own. Their rows are edited as JSON. */
export function OtherLists({ list: requestedList }: { list: string | undefined }) {
  const { link } = useDashboard()
  const list = otherListNames.find((name) => name === requestedList) ?? 'organizations'
  const [search, setSearch] = useState('')
  const { value, error, reload, offset, setOffset } = useRows(list, search === '' ? {} : { search })
  const actions = useRowActions(list, reload)
  const [edited, setEdited] = useState<object | null>(null)
  return (
    <>
      <div class="toolbar">
        <label>
          <span class="visually-hidden">List</span>
          <select
            value={list}
            onChange={({ currentTarget }) => {
              location.hash = link('world', 'others', currentTarget.value)
            }}
          >
            {otherListNames.map((name) => (
              <option key={name} value={name}>
                {toTitle(name)}
              </option>
            ))}
          </select>
        </label>
        <SearchField
          placeholder={`Search ${toTitle(list).toLowerCase()}`}
          value={search}
          onChange={setSearch}
        />
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value?.count === 0 && <EmptyState title="No rows match the search." />}
      {value && value.count > 0 && (
        <>
          <RowTable list={list} rows={value.rows} onEdit={setEdited} />
          <Pagination {...{ offset }} count={value.count} limit={pageSize} onChange={setOffset} />
        </>
      )}
      {edited && (
        <RowForm list={list} row={edited} actions={actions} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

/** @example toTitle('dashboard_items') // 'Dashboard items' */
function toTitle(list: string): string {
  return list.charAt(0).toUpperCase() + list.slice(1).replaceAll('_', ' ')
}

interface RowTableProps {
  readonly list: string
  readonly rows: readonly object[]
  readonly onEdit: (row: object) => void
}

/** A table with a column for each field. Id and name come first. */
function RowTable({ list, rows, onEdit }: RowTableProps) {
  const fields = Object.keys(rows[0] ?? {})
  const columns = [...new Set(['id', 'name', ...fields])].filter((name) => fields.includes(name))
  return (
    <ScrollArea label={list}>
      <table class="rows">
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field}>{field}</th>
            ))}
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = String((row as { id: unknown }).id)
            return (
              <tr key={id}>
                {columns.map((field) => (
                  <td key={field} class="cell">
                    {formatCell(Reflect.get(row, field))}
                  </td>
                ))}
                <td class="actions pinned">
                  <RowButton rowLabel={`row ${id} of ${list}`} onClick={() => onEdit(row)}>
                    Edit
                  </RowButton>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

interface RowFormProps {
  readonly list: RowListName
  readonly row: object
  readonly actions: RowActions<RowListName>
  readonly onClose: () => void
}

/** The dialog that edits a row as JSON. */
function RowForm({ list, row, actions, onClose }: RowFormProps) {
  const { id } = row as { id: number | string }
  const [text, setText] = useState(() => JSON.stringify(row, null, 2))
  const { submit, error } = useSubmit(async () => {
    const changes = parseJson(text)
    if (typeof changes !== 'object' || changes === null) throw new Error('Enter a JSON object.')
    await actions.update(id, changes)
    return `Row ${id} of ${list} saved.`
  }, onClose)
  return (
    <Dialog title={`Edit row ${id} of ${list}`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        <JsonField rows={16} value={text} error={error} onChange={setText} />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}
