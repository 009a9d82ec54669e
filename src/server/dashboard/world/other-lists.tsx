import { useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
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

/** The rows that annotations and plugins belong to. */
export function OtherLists({ list: given }: { list: string | undefined }) {
  const { link } = useDashboard()
  const list = otherListNames.find((one) => one === given) ?? 'organizations'
  const [search, setSearch] = useState('')
  const { value, error, reload, offset, setOffset } = useRows(list, search === '' ? {} : { search })
  const actions = useRowActions(list, reload)
  const [edited, setEdited] = useState<object | null>(null)
  return (
    <>
      <div class="toolbar">
        <label>
          <span class="unseen">List</span>
          <select
            value={list}
            onChange={({ currentTarget }) => {
              location.hash = link('world', 'others', currentTarget.value)
            }}
          >
            {otherListNames.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <SearchField placeholder={`Search in ${list}`} value={search} onChange={setSearch} />
      </div>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value?.count === 0 && <EmptyState title="No row is as the search wants it." />}
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

interface RowTableProps {
  readonly list: string
  readonly rows: readonly object[]
  readonly onEdit: (row: object) => void
}

/** Rows of any list: a column for each field. */
function RowTable({ list, rows, onEdit }: RowTableProps) {
  const fields = Object.keys(rows[0] ?? {})
  return (
    <ScrollArea label={`The list ${list}`}>
      <table class="rows">
        <thead>
          <tr>
            <ActionsHeader />
            {fields.map((field) => (
              <th key={field}>{field}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = String((row as { id: unknown }).id)
            return (
              <tr key={id}>
                <td class="actions">
                  <RowButton rowLabel={id} onClick={() => onEdit(row)}>
                    Edit
                  </RowButton>
                </td>
                {fields.map((field) => (
                  <td key={field} class="cell">
                    {formatCell(Reflect.get(row, field))}
                  </td>
                ))}
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

/** Edits a row of any list as JSON. */
function RowForm({ list, row, actions, onClose }: RowFormProps) {
  const { id } = row as { id: number | string }
  const [text, setText] = useState(() => JSON.stringify(row, null, 2))
  const [mistake, setMistake] = useState('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const changes = parseRow(text)
    if (typeof changes === 'string') setMistake(changes)
    else if (await actions.update(id, changes, `Saved row ${id} of ${list}.`)) onClose()
  }
  return (
    <Dialog title={`Row ${id} of ${list}`} onClose={onClose}>
      <form class="fields" onSubmit={save}>
        <label>
          As JSON
          <textarea
            rows={16}
            spellcheck={false}
            aria-invalid={mistake !== ''}
            aria-describedby="row-mistake"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p id="row-mistake" class="bad" role="alert">
          {mistake}
        </p>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}

/** The object that a text holds, or what is wrong with it. */
function parseRow(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
    return 'Failed to read the row: expected an object. Mend the text.'
  } catch (error) {
    return `Failed to read the row: expected JSON (${(error as Error).message}). Mend the text.`
  }
}
