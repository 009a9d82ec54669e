import { useState } from 'preact/hooks'
import { Dialog } from '../kit/dialog.tsx'
import type { RowActions } from './row-actions.ts'
import type { RowListName } from './use-rows.ts'

interface RowFormProps {
  readonly list: RowListName
  readonly row: object
  readonly actions: RowActions<RowListName>
  readonly onClose: () => void
}

/** Edits a row of any list as JSON. */
export function RowForm({ list, row, actions, onClose }: RowFormProps) {
  const { id } = row as { id: number | string }
  const [text, setText] = useState(() => JSON.stringify(row, null, 2))
  const [mistake, setMistake] = useState('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const changes = parseRow(text)
    if (typeof changes === 'string') setMistake(changes)
    else if (await actions.update(id, changes, `Saved row ${id} of ${list}.`)) onClose()
  }
  return (
    <Dialog title={`Row ${id} of ${list}`} onClose={onClose}>
      <form class="fields" onSubmit={save}>
        <label>
          As JSON
          <textarea
            rows={16}
            spellcheck={false}
            aria-invalid={mistake !== ''}
            aria-describedby="row-mistake"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <p id="row-mistake" class="bad" role="alert">
          {mistake}
        </p>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </Dialog>
  )
}

/** The object that a text holds, or what is wrong with it. */
function parseRow(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
    return 'Failed to read the row: expected an object. Mend the text.'
  } catch (error) {
    return `Failed to read the row: expected JSON (${(error as Error).message}). Mend the text.`
  }
}
