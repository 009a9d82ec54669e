import { useState } from 'preact/hooks'
import { type RowNames, useDashboard, useRowNames, useViewParams } from '../kit/context.ts'
import { SearchField, Select } from '../kit/fields.tsx'
import { JsonField, parseJson } from '../kit/form.tsx'
import { capitalize } from '../kit/format.ts'
import { none } from '../kit/inline.tsx'
import type { Column } from '../kit/table.tsx'
import { RowDialog, type RowFormProps, type RowListName, RowTable, useRows } from './rows.tsx'

const otherListNames: readonly RowListName[] = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugin_configs',
  'activity',
]

export function OtherLists({ list: requestedList }: { list: string | undefined }) {
  const { link, open } = useDashboard()
  const list = otherListNames.find((name) => name === requestedList) ?? 'organizations'
  const { params, field } = useViewParams({ search: '' })
  const page = useRows(list, params, 'id', (id) => `row ${id} of ${list}`)
  const names = useNames()
  return (
    <>
      <div class="toolbar">
        <Select
          label="List"
          hideLabel
          options={otherListNames.map((name) => [name, capitalize(name.replaceAll('_', ' '))])}
          value={list}
          onChange={(name) => open(link('world', 'others', name))}
        />
        <SearchField placeholder={`Search ${list.replaceAll('_', ' ')}`} {...field('search')} />
      </div>
      <RowTable
        page={page}
        label={list}
        empty="No rows match the search."
        columns={toColumns(page.value?.rows[0] ?? {}, names)}
      />
      {page.edited && <RowForm page={page} row={page.edited} />}
    </>
  )
}

/** The names of rows, by the fields that refer to them. */
function useNames(): Readonly<Record<string, RowNames>> {
  const projects = useRowNames('projects')
  const organizations = useRowNames('organizations')
  return {
    user: useRowNames('users'),
    project: projects,
    current_project: projects,
    organization: organizations,
    organizations,
    plugin: useRowNames('plugins'),
  }
}

const firstFields = ['id', 'name', 'first_name', 'last_name', 'email']
const technicalField = /uuid|token|distinct/

function toColumns(row: object, names: Readonly<Record<string, RowNames>>): Column<object>[] {
  const fields = Object.keys(row)
  const sorted = [...firstFields, ...fields.filter((name) => !technicalField.test(name)), ...fields]
  const columns = [...new Set(sorted)].filter((name) => fields.includes(name))
  return columns.map((field) => [
    'cell',
    field,
    (row) => {
      const value = Reflect.get(row, field)
      if (value === null) return none
      const show = (id: unknown) => names[field]?.get(id as number | string) ?? formatCell(id)
      const text = Array.isArray(value) ? value.map(show).join(', ') : show(value)
      return <span title={formatCell(value)}>{text}</span>
    },
    field,
  ])
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
