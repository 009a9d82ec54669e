import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { Dialog } from '../kit/dialog.tsx'
import type { RowActions } from './use-rows.ts'

const textFields = ['name', 'description', 'url', 'tag', 'latest_tag'] as const
type TextField = (typeof textFields)[number]

interface PluginFormProps {
  /** The row that is edited; one without an id is added. */
  readonly row: Partial<PluginRow>
  readonly actions: RowActions<'plugins'>
  readonly onClose: () => void
}

/** Edits a plugin, or adds one. A field that is empty is null. */
export function PluginForm({ row, actions, onClose }: PluginFormProps) {
  const [fields, setFields] = useState<Partial<Record<TextField, string | null>>>(
    Object.fromEntries(textFields.map((name) => [name, row[name] ?? null])),
  )
  const [isGlobal, setGlobal] = useState(row.is_global ?? false)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const changes = { ...fields, is_global: isGlobal } as Partial<PluginRow>
    const isDone =
      row.id === undefined
        ? await actions.create(changes)
        : await actions.update(row.id, changes, `Saved plugin ${row.id}.`)
    if (isDone) onClose()
  }
  return (
    <Dialog title={row.id === undefined ? 'Add a plugin' : `Plugin ${row.id}`} onClose={onClose}>
      <form class="fields" onSubmit={save}>
        {textFields.map((name) => (
          <label key={name}>
            {name}
            <input
              value={fields[name] ?? ''}
              onInput={({ currentTarget: { value } }) =>
                setFields({ ...fields, [name]: value === '' ? null : value })
              }
            />
          </label>
        ))}
        <label class="check">
          <input
            type="checkbox"
            checked={isGlobal}
            onChange={({ currentTarget }) => setGlobal(currentTarget.checked)}
          />
          is_global
        </label>
        <p class="dim">
          Written straight into the world: nothing is installed, and no policy is asked.
        </p>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}
