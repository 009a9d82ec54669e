import type { PluginRow } from '../../world/rows.ts'
import { useDashboard } from '../kit/place.ts'
import { ActionsHeader, RowButton } from '../kit/row-actions.tsx'
import { ScrollArea } from '../kit/scroll.tsx'

interface PluginTableProps {
  readonly rows: readonly PluginRow[]
  readonly open: string | undefined
  readonly onEdit: (row: PluginRow) => void
  readonly onRemove: (row: PluginRow) => void
}

/** Plugins as lines. The name is the link to the source. */
export function PluginTable({ rows, open, onEdit, onRemove }: PluginTableProps) {
  const { link } = useDashboard()
  return (
    <ScrollArea label="Plugins as a table">
      <table class="rows">
        <thead>
          <tr>
            <th class="number">Id</th>
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
            const isOld = latest_tag !== null && latest_tag !== tag
            return (
              <tr key={id} class={String(id) === open ? 'current' : ''}>
                <td class="number">{id}</td>
                <td>
                  <a href={link('world', 'plugins', id)}>{name ?? `Plugin ${id}`}</a>{' '}
                  {is_global && <span class="tag">global</span>}
                </td>
                <td class="wide">{plugin_type ?? <span class="dim">none</span>}</td>
                <td class="when">
                  {tag?.slice(0, 10) ?? <span class="dim">none</span>}{' '}
                  {isOld && <span class="tag assumed">latest {latest_tag.slice(0, 10)}</span>}
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
