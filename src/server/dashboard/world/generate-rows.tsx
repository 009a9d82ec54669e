import { useState } from 'preact/hooks'
import { Dialog } from '../kit/dialog.tsx'
import { FormError, useSubmit } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'

interface GenerateRowsProps {
  /** The plural name of the rows: `annotations` */
  readonly noun: string
  readonly onGenerate: (count: number) => Promise<void>
}

/** The button and the dialog that generate rows. */
export function GenerateRows({ noun, onGenerate }: GenerateRowsProps) {
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState(100)
  const close = () => setOpen(false)
  const { submit, error, isBusy } = useSubmit(async () => {
    await onGenerate(count)
    return `${formatCount(count, 'row')} generated.`
  }, close)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Generate…
      </button>
      {isOpen && (
        <Dialog title={`Generate ${noun}`} onClose={close}>
          <form class="fields" onSubmit={submit}>
            <p>
              Generates realistic {noun} around the world's date, for its existing projects and
              users.
            </p>
            <label>
              Count (max. 100,000)
              <input
                type="number"
                min={1}
                max={100_000}
                required
                value={count}
                onInput={({ currentTarget }) => setCount(currentTarget.valueAsNumber)}
              />
            </label>
            <FormError error={error} />
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? 'Generating…' : 'Generate'}
            </button>
          </form>
        </Dialog>
      )}
    </>
  )
}
