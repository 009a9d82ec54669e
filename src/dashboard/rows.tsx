import { useState } from 'preact/hooks'
import type { EditableList, Row } from '../world/world-json.ts'
import { useApp, useLinks, useLoad, useParams } from './app.ts'
import { capitalize, formatTime } from './format.ts'
import { ActionButton, JsonForm, SearchField, Select } from './kit.tsx'
import { type DataColumn, DataTable, Detail, Empty, LoadError, Split } from './layout.tsx'
import { Pages, pageSize, useOffset } from './pages.tsx'

type ShownRow = { readonly [field: string]: unknown }

/** The lists of the world, with the fields that the table shows. The editor of a row has all fields. */
const lists: { readonly [List in EditableList]: readonly (keyof Row<List> & string)[] } = {
  annotations: ['date_marker', 'content', 'scope', 'project', 'created_by'],
  plugins: ['name', 'plugin_type', 'tag', 'latest_tag', 'is_global'],
  plugin_configs: ['plugin', 'project', 'enabled', 'order'],
  projects: ['name', 'organization', 'timezone'],
  organizations: ['name', 'plugins_access_level'],
  users: ['email', 'first_name', 'last_name', 'is_active', 'organizations'],
  dashboard_items: ['name', 'short_id', 'project'],
  activity: ['created_at', 'activity', 'scope', 'item_id', 'user'],
}

const listOptions = Object.keys(lists).map((name) => [name, capitalize(name)] as const)

/** The rows of a list, and the one that is open, as JSON. Edits need no key, and are not in the journal. */
export function RowsView({ path: [name = 'annotations', id] }: { path: readonly string[] }) {
  const { link, linkHere, go } = useLinks()
  const { params, field } = useParams()
  const list = name in lists ? (name as EditableList) : 'annotations'
  const { search = '' } = params
  const offset = useOffset()
  const query = { offset, limit: pageSize, ...(search && { search }) }
  const { value, error } = useLoad(
    async ({ world }) => ({ list, ...(await world.find(list, query)) }),
    [list, search, offset],
  )
  const current = value?.list === list ? value : undefined
  return (
    <Split
      label="Rows"
      detail={id !== undefined && <RowDetail key={`${list} ${id}`} {...{ list, id }} />}
    >
      <div class="row toolbar">
        <Select
          label="List"
          options={listOptions}
          value={list}
          onChange={(next) => go(link('rows', next))}
        />
        <SearchField label="Search" {...field('search')} />
        <a class="button" href={linkHere('rows', list, 'new')}>
          Add
        </a>
      </div>
      <LoadError error={error} />
      {current?.count === 0 && <NoRows list={list} search={search} />}
      {current && current.count > 0 && (
        <>
          <DataTable
            label={capitalize(list)}
            columns={columnsOf(list, (row) => linkHere('rows', list, String(row.id)))}
            rows={current.rows as readonly object[] as readonly ShownRow[]}
            rowKey={(row) => String(row.id)}
            rowClass={(row) =>
              [row.deleted && 'deleted', String(row.id) === id && 'current']
                .filter(Boolean)
                .join(' ')
            }
          />
          <Pages count={current.count} />
        </>
      )}
    </Split>
  )
}

function NoRows({ list, search }: { list: EditableList; search: string }) {
  const rows = list.replaceAll('_', ' ')
  return (
    <Empty title={search === '' ? `This world has no ${rows}.` : `No ${rows} match the search.`} />
  )
}

function columnsOf(list: EditableList, hrefOf: (row: ShownRow) => string): DataColumn<ShownRow>[] {
  return [
    [
      'id',
      (row) => (
        <a class="opens" href={hrefOf(row)}>
          {String(row.id)}
        </a>
      ),
      'id',
    ],
    ...lists[list].map(
      (name, index): DataColumn<ShownRow> => [
        name,
        (row) => <Cell value={row[name]} />,
        index > 1 && name !== 'scope' ? 'wide' : '',
      ],
    ),
  ]
}

function Cell({ value }: { value: unknown }) {
  if (value === null) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return <time dateTime={value}>{formatTime(value, 'minute')}</time>
  }
  return typeof value === 'string' ? <span class="text">{text}</span> : text
}

/** @param props.id `new` for a row that is added */
function RowDetail({ list, id }: { list: EditableList; id: string }) {
  const { world } = useApp().remote
  const { linkHere, go } = useLinks()
  const isNew = id === 'new'
  const back = linkHere('rows', list)
  const rowId = list === 'organizations' ? id : Number(id)
  const { value, error } = useLoad(
    async (remote) => (isNew ? {} : ((await remote.world.get(list, rowId)) ?? null)),
    [list, id],
  )
  const remove = async () => {
    await world.delete(list, rowId)
    go(back)
    return 'Row removed.'
  }
  const loss = 'Remove this row from the world, as if it had never been there?'
  return (
    <Detail
      title={isNew ? `New row of ${list}` : `${capitalize(list)} ${id}`}
      back={back}
      actions={
        !isNew &&
        value && <ActionButton {...{ label: 'Remove', class: 'danger', loss }} work={remove} />
      }
    >
      <LoadError error={error} />
      {value === null && <Empty title="This row does not exist." />}
      {value && <RowForm {...{ list, back }} row={value as ShownRow} />}
    </Detail>
  )
}

function RowForm({ list, row, back }: { list: EditableList; row: ShownRow; back: string }) {
  const { world } = useApp().remote
  const { go } = useLinks()
  const [original, setOriginal] = useState(row)
  const id = row.id as number | string | undefined
  const save = async (edited: object) => {
    if (id === undefined) {
      await world.add({ [list]: [edited] })
      go(back)
      return 'Row added.'
    }
    // Only what was edited is sent: a client can have changed other fields meanwhile.
    const changes = Object.entries(edited).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(original[name]),
    )
    const saved = await world.update(list, id, Object.fromEntries(changes))
    setOriginal(saved as object as ShownRow)
    return 'Row saved.'
  }
  const hint = () => (
    <p class="dim">
      Types and lengths are checked, and the rules of the API are not.{' '}
      {id === undefined && 'Missing fields get defaults.'}
    </p>
  )
  return (
    <JsonForm
      key={JSON.stringify(original)}
      initial={original}
      rows={22}
      submitLabel="Save"
      {...{ save, hint }}
    />
  )
}
