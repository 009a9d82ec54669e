import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { useDashboard } from '../kit/context.ts'
import { ConfirmRemoval } from '../kit/dialog.tsx'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { ActionsHeader, Pagination, RowButton, ScrollArea, SearchField } from '../kit/table.tsx'
import { GenerateRows } from './generate-rows.tsx'
import { PluginForm } from './plugin-form.tsx'
import { PluginSource } from './plugin-source.tsx'
import { pageSize, useRowActions, useRows } from './use-rows.ts'

/** The plugins of the world, and the source of the open one. */
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
  const remove = async ({ id }: PluginRow) => {
    await actions.remove(id)
    return `Row ${id} removed.`
  }
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Plugins">
        <div class="toolbar">
          <SearchField
            placeholder="Search name, description, URL"
            value={search}
            onChange={setSearch}
          />
          <div class="actions">
            <button type="button" onClick={() => setEdited({})}>
              Add
            </button>
            <GenerateRows noun="plugins" onGenerate={actions.generate} />
          </div>
        </div>
        {error && <ErrorMessage error={error} onRetry={reload} />}
        {value?.count === 0 && <EmptyState title="No plugins match the search." />}
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
          subject={`plugin ${removed.name ?? removed.id}`}
          onRemove={() => remove(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  )
}

interface PluginTableProps {
  readonly rows: readonly PluginRow[]
  /** The id of the plugin whose source is open. */
  readonly open: string | undefined
  readonly onEdit: (row: PluginRow) => void
  readonly onRemove: (row: PluginRow) => void
}

/** The plugins. Each name links to the source. */
function PluginTable({ rows, open, onEdit, onRemove }: PluginTableProps) {
  const { link } = useDashboard()
  return (
    <ScrollArea label="Plugin table">
      <table class="rows linked">
        <thead>
          <tr>
            <th class="number">ID</th>
            <th>Name</th>
            <th class="wide">Type</th>
            <th>Tag</th>
            <th class="wide">Description</th>
            <ActionsHeader />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { id, name, plugin_type, tag, latest_tag, description, is_global } = row
            const isOutdated = latest_tag !== null && latest_tag !== tag
            return (
              <tr key={id} class={String(id) === open ? 'current' : ''}>
                <td class="number">{id}</td>
                <td>
                  <a href={link('world', 'plugins', id)}>{name ?? `Plugin ${id}`}</a>{' '}
                  {is_global && <span class="tag">global</span>}
                </td>
                <td class="wide">{plugin_type ?? <span class="dim">–</span>}</td>
                <td class="when">
                  {tag?.slice(0, 10) ?? <span class="dim">–</span>}{' '}
                  {isOutdated && (
                    <span class="tag assumed">update available: {latest_tag.slice(0, 10)}</span>
                  )}
                </td>
                <td class="content wide">{description}</td>
                <td class="actions">
                  <RowButton rowLabel={`plugin ${id}`} onClick={() => onEdit(row)}>
                    Edit
                  </RowButton>
                  <RowButton rowLabel={`plugin ${id}`} onClick={() => onRemove(row)}>
                    Remove
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
