import { useState } from 'preact/hooks'
import { Dialog } from '../kit/dialog.tsx'

interface GenerateRowsProps {
  readonly noun: string
  readonly onGenerate: (count: number) => Promise<boolean>
}

/** Adds believable rows by the factories. */
export function GenerateRows({ noun, onGenerate }: GenerateRowsProps) {
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState(100)
  const [isBusy, setBusy] = useState(false)
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    const isDone = await onGenerate(count)
    setBusy(false)
    if (isDone) setOpen(false)
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add many…
      </button>
      {isOpen && (
        <Dialog title={`Add many ${noun}`} onClose={() => setOpen(false)}>
          <form class="fields" onSubmit={add}>
            <p>
              The factories make believable {noun} around the time of the world, for the projects
              and people that are there.
            </p>
            <label>
              How many, up to 100,000
              <input
                type="number"
                min={1}
                max={100_000}
                required
                value={count}
                onInput={({ currentTarget }) => setCount(currentTarget.valueAsNumber)}
              />
            </label>
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? 'Adding…' : 'Add'}
            </button>
          </form>
        </Dialog>
      )}
    </>
  )
}
