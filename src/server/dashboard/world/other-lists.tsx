import { useState } from 'preact/hooks'
import { useDashboard } from '../kit/context.ts'
import { JsonField, parseJson, SearchField, Select } from '../kit/form.tsx'
import type { Column } from '../kit/table.tsx'
import { RowDialog, type RowFormProps, type RowListName, RowTable, useRows } from './use-rows.tsx'

const otherListNames: readonly RowListName[] = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugin_configs',
  'activity',
]

export function OtherLists({ list: requestedList }: { list: string | undefined }) {
  const { link } = useDashboard()
  const list = otherListNames.find((name) => name === requestedList) ?? 'organizations'
  const [search, setSearch] = useState('')
  const query = search === '' ? {} : { search }
  const page = useRows(list, query, (id) => `row ${id} of ${list}`)
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
      <RowTable
        page={page}
        label={list}
        empty="No rows match the search."
        class="rows pinned"
        columns={toColumns(page.value?.rows[0] ?? {})}
      />
      {page.edited && <RowForm page={page} row={page.edited} />}
    </>
  )
}

function toTitle(list: string): string {
  return list.charAt(0).toUpperCase() + list.slice(1).replaceAll('_', ' ')
}

function toColumns(row: object): Column<object>[] {
  const fields = Object.keys(row)
  const names = [...new Set(['id', 'name', ...fields])].filter((name) => fields.includes(name))
  return names.map((name) => ['cell', name, (row) => formatCell(Reflect.get(row, name))])
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function RowForm({ page, row }: RowFormProps<RowListName>) {
  const [text, setText] = useState(() => JSON.stringify(row, null, 2))
  const save = async () => {
    const changes = parseJson(text)
    if (typeof changes !== 'object' || changes === null) throw new Error('Enter a JSON object.')
    return page.save(row.id, changes)
  }
  return (
    <RowDialog page={page} save={save}>
      <JsonField rows={16} value={text} onChange={setText} />
    </RowDialog>
  )
}
