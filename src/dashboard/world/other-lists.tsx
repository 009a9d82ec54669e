import { useState } from 'preact/hooks'
import { Pagination } from '../kit/paging.tsx'
import { useDashboard } from '../kit/place.ts'
import { SearchField } from '../kit/search-field.tsx'
import { EmptyState, ErrorMessage } from '../kit/states.tsx'
import { RowTable } from './any-table.tsx'
import { useRowActions } from './row-actions.ts'
import { RowForm } from './row-form.tsx'
import { pageSize, type RowListName, useRows } from './use-rows.ts'

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
