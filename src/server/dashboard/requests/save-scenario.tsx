import { useState } from 'preact/hooks'
import type { Recording } from '../../../scenarios/recording/write-scenario.ts'
import { useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { Dialog } from '../kit/dialog.tsx'
import { FormError, useSubmit } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'

interface SaveScenarioProps {
  /** The ids of the requests to save. */
  readonly entries: readonly number[]
}

/** The button and the dialog that save requests as a scenario file. */
export function SaveScenario({ entries }: SaveScenarioProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" disabled={entries.length === 0} onClick={() => setOpen(true)}>
        Save as scenario…
      </button>
      {isOpen && <SaveScenarioDialog entries={entries} onClose={() => setOpen(false)} />}
    </>
  )
}

interface SaveScenarioDialogProps extends SaveScenarioProps {
  readonly onClose: () => void
}

function SaveScenarioDialog({ entries, onClose }: SaveScenarioDialogProps) {
  const { remote } = useDashboard()
  const [title, setTitle] = useState('')
  const [warnings, setWarnings] = useState<Recording['warnings']>([])
  const { submit, error } = useSubmit(async () => {
    const { scenario, warnings } = await remote.record({ entries, ...(title !== '' && { title }) })
    const fileName = `${toFileName(scenario.title)}.json`
    downloadJson(fileName, scenario)
    if (warnings.length === 0) onClose()
    setWarnings(warnings)
    return `Downloaded ${fileName}.`
  })
  const exchanges =
    entries.length === 1
      ? '1 request and its response'
      : `${formatCount(entries.length, 'request')} and their responses`
  return (
    <Dialog title="Save as scenario" onClose={onClose}>
      {warnings.length > 0 ? (
        <div class="fields">
          <p>Scenario saved. Not included:</p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      ) : (
        <form class="fields" onSubmit={submit}>
          <p>
            Creates a replayable scenario from {exchanges}. Keys and personal data are replaced.
          </p>
          <label>
            Title
            <input
              placeholder="e.g. An annotation is created and deleted"
              value={title}
              onInput={({ currentTarget }) => setTitle(currentTarget.value)}
            />
          </label>
          <FormError error={error} />
          <button type="submit" class="primary">
            Save
          </button>
        </form>
      )}
    </Dialog>
  )
}

/** @example toFileName('A launch is announced') // 'a-launch-is-announced' */
function toFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? 'scenario' : name
}
