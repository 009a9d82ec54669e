import { useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Button, SearchField, Select } from '../kit/fields.tsx'
import { Form, JsonField, parseJson } from '../kit/form.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'
import { type RowActions, type RowListName, RowPage, useRowActions, useRows } from './use-rows.tsx'

const otherListNames: readonly RowListName[] = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugin_configs',
  'activity',
]

interface AnyRow {
  readonly id: number | string
}

/** The lists without a view of their own. Their rows are edited as JSON. */
export function OtherLists({ list: requestedList }: { list: string | undefined }) {
  const { link } = useDashboard()
  const list = otherListNames.find((name) => name === requestedList) ?? 'organizations'
  const [search, setSearch] = useState('')
  const loaded = useRows(list, search === '' ? {} : { search })
  const actions = useRowActions(list, 'Row', loaded.reload)
  const [edited, setEdited] = useState<AnyRow | null>(null)
  return (
    <>
      <div class="toolbar">
        <Select
          label="List"
          hideLabel
          options={otherListNames.map((name) => [name, toTitle(name)])}
          value={list}
          onChange={(name) => {
            location.hash = link('world', 'others', name)
          }}
        />
        <SearchField
          placeholder={`Search ${toTitle(list).toLowerCase()}`}
          value={search}
          onChange={setSearch}
        />
      </div>
      <RowPage rows={loaded} empty="No rows match the search.">
        {(rows) => (
          <ScrollArea label={list}>
            <Table
              class="rows pinned"
              columns={toColumns(rows[0] ?? {})}
              rows={rows}
              rowKey={({ id }) => id}
              actions={(row) => (
                <Button
                  class="quiet"
                  row={`row ${row.id} of ${list}`}
                  onClick={() => setEdited(row)}
                >
                  Edit
                </Button>
              )}
            />
          </ScrollArea>
        )}
      </RowPage>
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

/** A column for each field of a row. Id and name come first. */
function toColumns(row: object): Column<object>[] {
  const fields = Object.keys(row)
  const names = [...new Set(['id', 'name', ...fields])].filter((name) => fields.includes(name))
  return names.map((name) => ['cell', name, (row) => formatCell(Reflect.get(row, name))])
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

interface RowFormProps {
  readonly list: RowListName
  readonly row: AnyRow
  readonly actions: RowActions<RowListName>
  readonly onClose: () => void
}

function RowForm({ list, row, actions, onClose }: RowFormProps) {
  const [text, setText] = useState(() => JSON.stringify(row, null, 2))
  const save = async () => {
    const changes = parseJson(text)
    if (typeof changes !== 'object' || changes === null) throw new Error('Enter a JSON object.')
    await actions.save(row.id, changes)
    return `Row ${row.id} of ${list} saved.`
  }
  return (
    <Dialog title={`Edit row ${row.id} of ${list}`} onClose={onClose}>
      <Form save={save} onSuccess={onClose}>
        <JsonField rows={16} value={text} onChange={setText} />
      </Form>
    </Dialog>
  )
}
