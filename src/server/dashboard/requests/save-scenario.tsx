import { useState } from 'preact/hooks'
import type { Recording } from '../../../scenarios/recording/write-scenario.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { downloadFile } from '../kit/copy-download.ts'
import { Dialog } from '../kit/dialog.tsx'

interface SaveScenarioProps {
  /** The ids of the requests that it is made of. */
  readonly entries: readonly number[]
}

/** Makes a scenario of requests, and tells what of them is not in it. */
export function SaveScenario({ entries }: SaveScenarioProps) {
  const { remote } = useDashboard()
  const act = useAction()
  const [title, setTitle] = useState<string | null>(null)
  const [recording, setRecording] = useState<Recording | null>(null)
  const close = () => {
    setTitle(null)
    setRecording(null)
  }
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await act('Saved as a scenario.', async () => {
      const made = await remote.record({
        entries,
        ...(title !== null && title !== '' && { title }),
      })
      downloadFile(`${toFileName(made.scenario.title)}.json`, made.scenario)
      if (made.warnings.length === 0) close()
      else setRecording(made)
    })
  }
  return (
    <>
      <button type="button" disabled={entries.length === 0} onClick={() => setTitle('')}>
        Save as scenario…
      </button>
      {title !== null && (
        <Dialog title="Save as a scenario" onClose={close}>
          {recording ? (
            <div class="fields">
              <p>It is saved. This is not in it:</p>
              <ul>
                {recording.warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </div>
          ) : (
            <form class="fields" onSubmit={save}>
              <p>
                {entries.length === 1
                  ? 'One request with its answer'
                  : `${entries.length} requests with their answers`}
                , to be replayed. Keys and personal data are replaced.
              </p>
              <label>
                Title
                <input
                  placeholder="What happens in it"
                  value={title}
                  onInput={({ currentTarget }) => setTitle(currentTarget.value)}
                />
              </label>
              <button type="submit" class="primary">
                Save
              </button>
            </form>
          )}
        </Dialog>
      )}
    </>
  )
}

/** @example fileNameOf('A launch is announced') // 'a-launch-is-announced' */
function toFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? 'scenario' : name
}
