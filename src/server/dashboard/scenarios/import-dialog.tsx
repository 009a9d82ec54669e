import { Download, Play } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ImportedTraffic } from '../../../analysis/traffic/import-traffic.ts'
import type { Remote } from '../../../remote/connect.ts'
import { formatJson } from '../../../utils/format-json.ts'
import { useDashboard } from '../kit/context.ts'
import { download } from '../kit/copy.tsx'
import { Button, Select } from '../kit/fields.tsx'
import { useActionButton } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'
import { Dialog } from '../kit/panels.tsx'

export interface ImportedFile extends ImportedTraffic {
  readonly fileName: string
}

/** As the server, whose body also has the name of the file. */
const maxFileBytes = 64 * 1024 * 1024 - 1_024

/** Sends a HAR archive, a journal or a scenario to the server, which says what is in it. @throws Error for another file */
export async function readImport(file: File, remote: Remote): Promise<ImportedTraffic> {
  const { name, size } = file
  if (size > maxFileBytes) {
    throw new Error(
      `${name} is larger than 64 MiB. Import it on the command line: npx understudy-api import ${name}`,
    )
  }
  const text = (await file.text()).replace(/^\uFEFF/, '')
  let content: object | string
  try {
    content = JSON.parse(text)
  } catch {
    // The server reads lines of JSON, and says where other text is invalid.
    content = text
  }
  return remote.scenarios.import({ name, content })
}

/** An area on which a file can be dropped. */
export function DropArea(props: { onDrop: (file: File) => void; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button Import does the same for a keyboard.
    <div
      class="drop-area"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        const [file] = event.dataTransfer?.files ?? []
        if (file) props.onDrop(file)
      }}
    >
      {props.children}
    </div>
  )
}

const runnerNames = {
  vitest: 'Vitest',
  playwright: 'Playwright',
  pytest: 'pytest',
  node: 'node:test',
} as const

/** What was found in an imported file, and what can be done with it. */
export function ImportDialog(props: {
  imported: ImportedFile
  onRun: (imported: ImportedFile) => void
  onClose: () => void
}) {
  const { imported, onRun, onClose } = props
  const { fileName, scenario, tests, requests, base_url, faults, failures, differing } = imported
  const { remote } = useDashboard()
  const action = useActionButton()
  const [runner, setRunner] = useState<string>('vitest')
  const { world } = scenario
  const { scenario_file: scenarioFile } = imported
  const test = tests.find((each) => each.runner === runner)
  const leftOut = Object.entries(imported.left_out).map(([reason, count]) => `${count} ${reason}`)
  const facts = [
    `${formatCount(requests.length, 'request')}${base_url === null ? '' : ` to ${base_url}`}`,
    ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.join(', ')}`]),
    ...(faults === 0 ? [] : [`${formatCount(faults, 'lost, failed or slow response')}`]),
  ]
  return (
    <Dialog title={`Import ${fileName}`} onClose={onClose}>
      <div class="fields">
        <p>{facts.join('; ')}.</p>
        <ItemList title="What failed" items={failures} empty="Nothing failed." />
        {differing.length > 0 && (
          <p class="bad">
            The simulator answers {formatCount(differing.length, 'step')} otherwise:{' '}
            {differing.slice(0, 10).join(', ')}
            {differing.length > 10 && ' …'}. Run it to see the differences.
          </p>
        )}
        <ItemList
          title="Assumed"
          items={imported.assumptions.map(({ field, because }) => `${field}: ${because}`)}
        />
        <ItemList title="Notes" items={imported.warnings} />
        <ItemList title="Requests" items={requests.map(({ title }) => title)} />
        <div class="row">
          <Button label="Run" class="primary" icon={Play} onClick={() => onRun(imported)} />
          {action(
            'Load world',
            'The world of the file is loaded.',
            async () => {
              if (typeof world === 'object') await remote.world.replace(world)
            },
            { disabled: typeof world !== 'object' },
          )}
          {action(
            'Save scenario',
            `Downloaded ${scenarioFile}.`,
            async () => download(scenarioFile, `${formatJson(scenario)}\n`, 'application/json'),
            { icon: Download },
          )}
        </div>
        <div class="row">
          <Select
            label="Test runner"
            options={tests.map((each) => [each.runner, runnerNames[each.runner]] as const)}
            value={runner}
            onChange={setRunner}
          />
          {test &&
            action(
              'Save test',
              `Downloaded ${test.name}. Put it beside ${scenarioFile}, and run it: ${test.command}`,
              async () => download(test.name, test.text, 'text/plain'),
              { icon: Download },
            )}
        </div>
      </div>
    </Dialog>
  )
}

/** The number of items that are listed. */
const maxItems = 20

function ItemList(props: { title: string; items: readonly string[]; empty?: string }) {
  const { title, items, empty } = props
  if (items.length === 0) return empty === undefined ? null : <p>{empty}</p>
  const more = items.length - maxItems
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {items.slice(0, maxItems).map((item, index) => (
          <li key={index} class="long-text">
            {item}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </section>
  )
}
