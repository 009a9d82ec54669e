import { useState } from 'preact/hooks'
import type { Recording } from '../../../scenarios/recording/recorder.ts'
import { useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { DialogButton } from '../kit/dialog.tsx'
import { Input } from '../kit/fields.tsx'
import { Form } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'

interface SaveScenarioProps {
  readonly entries: readonly number[]
}

export function SaveScenario({ entries }: SaveScenarioProps) {
  return (
    <DialogButton
      label="Save as scenario…"
      title="Save as scenario"
      disabled={entries.length === 0}
    >
      {(close) => <SaveScenarioForm entries={entries} onClose={close} />}
    </DialogButton>
  )
}

function SaveScenarioForm({ entries, onClose }: SaveScenarioProps & { onClose: () => void }) {
  const { remote } = useDashboard()
  const [title, setTitle] = useState('')
  const [warnings, setWarnings] = useState<Recording['warnings']>([])
  const save = async () => {
    const { scenario, warnings } = await remote.record({ entries, ...(title !== '' && { title }) })
    const fileName = `${toFileName(scenario.title)}.json`
    downloadJson(fileName, scenario)
    if (warnings.length === 0) onClose()
    setWarnings(warnings)
    return `Downloaded ${fileName}.`
  }
  if (warnings.length > 0) {
    return (
      <div class="fields">
        <p>Scenario saved. Not included:</p>
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </div>
    )
  }
  const exchanges =
    entries.length === 1
      ? '1 request and its response'
      : `${formatCount(entries.length, 'request')} and their responses`
  const placeholder = 'e.g. An annotation is created and deleted'
  return (
    <Form save={save}>
      <p>Creates a replayable scenario from {exchanges}. Keys and personal data are replaced.</p>
      <Input label="Title" placeholder={placeholder} value={title} onChange={setTitle} />
    </Form>
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
