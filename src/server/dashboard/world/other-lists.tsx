import { useState } from 'preact/hooks'
import { useDashboard, useFirstRows, useViewParams } from '../kit/context.ts'
import { SearchField, Select } from '../kit/fields.tsx'
import { JsonField, parseJson } from '../kit/form.tsx'
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
  const { params, field } = useViewParams({ search: '' })
  const { search } = params
  const query = search === '' ? {} : { search }
  const page = useRows(list, query, 'id', (id) => `row ${id} of ${list}`)
  const names = useNames()
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
        <SearchField placeholder={`Search ${toTitle(list).toLowerCase()}`} {...field('search')} />
      </div>
      <RowTable
        page={page}
        label={list}
        empty="No rows match the search."
        class="rows linked pinned"
        columns={toColumns(page.value?.rows[0] ?? {}, names)}
      />
      {page.edited && <RowForm page={page} row={page.edited} />}
    </>
  )
}

function toTitle(list: string): string {
  return list.charAt(0).toUpperCase() + list.slice(1).replaceAll('_', ' ')
}

type Names = ReturnType<typeof useNames>

/** The names of rows, by the fields that refer to them. */
function useNames() {
  const named = (rows: readonly { id: number | string; name?: string | null }[]) =>
    new Map(rows.map(({ id, name }) => [id, name]))
  const users = useFirstRows('users').map(({ id, first_name, last_name }) => ({
    id,
    name: `${first_name} ${last_name}`.trim(),
  }))
  const projects = named(useFirstRows('projects'))
  const organizations = named(useFirstRows('organizations'))
  return {
    user: named(users),
    project: projects,
    current_project: projects,
    organization: organizations,
    organizations,
    plugin: named(useFirstRows('plugins')),
  }
}

function toColumns(row: object, names: Names): Column<object>[] {
  const fields = Object.keys(row)
  const technical = (name: string) => /uuid|token|distinct/.test(name)
  const columns = [
    ...new Set([
      'id',
      'name',
      'first_name',
      'last_name',
      'email',
      ...fields.filter((name) => !technical(name)),
      ...fields,
    ]),
  ].filter((name) => fields.includes(name))
  return columns.map((field) => [
    'cell',
    field,
    (row) => {
      const value = Reflect.get(row, field)
      const name = (id: never) => names[field as keyof Names]?.get(id)
      const text = Array.isArray(value)
        ? value.map((id) => name(id as never) ?? formatCell(id)).join(', ')
        : (name(value as never) ?? formatCell(value))
      return value === null ? (
        <span class="dim">–</span>
      ) : (
        <span title={formatCell(value)}>{text}</span>
      )
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
