import { useState } from 'preact/hooks'
import type { PluginRow } from '../../world/rows.ts'
import { Pagination } from '../kit/paging.tsx'
import { useDashboard } from '../kit/place.ts'
import { SearchField } from '../kit/search-field.tsx'
import { EmptyState, ErrorMessage } from '../kit/states.tsx'
import { GenerateRows } from './add-many.tsx'
import { PluginForm } from './plugin-form.tsx'
import { PluginSource } from './plugin-source.tsx'
import { PluginTable } from './plugin-table.tsx'
import { ConfirmRemoval } from './remove-row.tsx'
import { useRowActions } from './row-actions.ts'
import { pageSize, useRows } from './use-rows.ts'

/** The plugins of the world, and the source of the one that is open. */
export function PluginsView({ id }: { id: string | undefined }) {
  const { link } = useDashboard()
  const [search, setSearch] = useState('')
  const { value, error, reload, offset, setOffset, version } = useRows(
    'plugins',
    search === '' ? {} : { search },
  )
  const actions = useRowActions('plugins', reload)
  const [edited, setEdited] = useState<Partial<PluginRow> | null>(null)
  const [removed, setRemoved] = useState<PluginRow | null>(null)
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Plugins">
        <div class="toolbar">
          <SearchField
            placeholder="Search in names, descriptions, addresses"
            value={search}
            onChange={setSearch}
          />
          <button type="button" onClick={() => setEdited({})}>
            Add
          </button>
          <GenerateRows noun="plugins" onGenerate={actions.generate} />
        </div>
        {error && <ErrorMessage error={error} onRetry={reload} />}
        {value?.count === 0 && <EmptyState title="No plugin is as the search wants it." />}
        {value && value.count > 0 && (
          <>
            <PluginTable rows={value.rows} open={id} onEdit={setEdited} onRemove={setRemoved} />
            <Pagination {...{ offset }} count={value.count} limit={pageSize} onChange={setOffset} />
          </>
        )}
      </section>
      {id !== undefined && (
        <PluginSource id={Number(id)} version={version} back={link('world', 'plugins')} />
      )}
      {edited && <PluginForm row={edited} actions={actions} onClose={() => setEdited(null)} />}
      {removed && (
        <ConfirmRemoval
          subject={`the plugin ${removed.name ?? removed.id}`}
          onRemove={() => actions.remove(removed.id)}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  )
}
