import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { Dialog } from '../kit/dialog.tsx'
import { bindFields, FormError, useSubmit } from '../kit/form.tsx'
import type { RowActions } from './use-rows.ts'

const textFields = ['name', 'description', 'url', 'tag', 'latest_tag'] as const
type TextField = (typeof textFields)[number]

interface PluginFormProps {
  /** The row to edit. A row without an id is created. */
  readonly row: Partial<PluginRow>
  readonly actions: RowActions<'plugins'>
  readonly onClose: () => void
}

/** The dialog that creates or edits a plugin. Empty fields are saved as null. */
export function PluginForm({ row, actions, onClose }: PluginFormProps) {
  const [draft, setDraft] = useState(
    () =>
      Object.fromEntries(textFields.map((name) => [name, row[name] ?? ''])) as Record<
        TextField,
        string
      >,
  )
  const [isGlobal, setGlobal] = useState(row.is_global ?? false)
  const field = bindFields(draft, setDraft)
  const { submit, error } = useSubmit(async () => {
    const texts = Object.fromEntries(textFields.map((name) => [name, draft[name] || null]))
    const changes = { ...texts, is_global: isGlobal }
    if (row.id === undefined) {
      await actions.create(changes)
      return 'Row added.'
    }
    await actions.update(row.id, changes)
    return `Plugin ${row.id} saved.`
  }, onClose)
  return (
    <Dialog title={row.id === undefined ? 'New plugin' : `Edit plugin ${row.id}`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        {textFields.map((name) => (
          <label key={name}>
            {name}
            <input {...field(name)} />
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
        <p class="dim">Saved directly to the world, bypassing API rules. Nothing is installed.</p>
        <FormError error={error} />
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}
