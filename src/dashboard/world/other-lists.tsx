import { useState } from 'preact/hooks'
import { Paging } from '../kit/paging.tsx'
import { usePlace } from '../kit/place.ts'
import { SearchField } from '../kit/search-field.tsx'
import { Empty, Problem } from '../kit/states.tsx'
import { AnyTable } from './any-table.tsx'
import { useRowActions } from './row-actions.ts'
import { RowForm } from './row-form.tsx'
import { type ListName, pageSize, useRows } from './use-rows.ts'

const lists: readonly ListName[] = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugin_configs',
  'activity',
]

/** The rows that annotations and plugins belong to. */
export function OtherLists({ list: given }: { list: string | undefined }) {
  const { link } = usePlace()
  const list = lists.find((one) => one === given) ?? 'organizations'
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
            {lists.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <SearchField placeholder={`Search in ${list}`} value={search} onChange={setSearch} />
      </div>
      {error && <Problem error={error} onRetry={reload} />}
      {value?.count === 0 && <Empty title="No row is as the search wants it." />}
      {value && value.count > 0 && (
        <>
          <AnyTable list={list} rows={value.rows} onEdit={setEdited} />
          <Paging {...{ offset }} count={value.count} limit={pageSize} onMove={setOffset} />
        </>
      )}
      {edited && (
        <RowForm list={list} row={edited} actions={actions} onClose={() => setEdited(null)} />
      )}
    </>
  )
}
