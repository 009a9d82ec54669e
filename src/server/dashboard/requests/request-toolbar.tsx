import { Download, Pause, Play, Trash } from 'lucide'
import { useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import type { Recording } from '../../../scenarios/recording/recorder.ts'
import { formatJson } from '../../../utils/format-json.ts'
import { useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { Button, Checkbox, Input, SearchField, Select } from '../kit/fields.tsx'
import { Form, useActionButton } from '../kit/form.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { DialogButton } from '../kit/panels.tsx'
import { fetchHar } from './export.ts'

const statusOptions = [
  ['any', 'Any status'],
  '2xx',
  '4xx',
  '5xx',
  'with fault',
  'no matching operation',
] as const

export const emptyRequestFilter = {
  /** Words that must all occur in a request: `patch annotations 404` */
  text: '',
  status: 'any',
  /** Not empty: only requests that changed rows */
  changed: '',
  sort: '-time',
}
type RequestFilter = typeof emptyRequestFilter

export function matchesFilter(
  entry: JournalEntry,
  { text, status, changed }: RequestFilter,
): boolean {
  if (changed !== '' && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  return text.trim() === '' || matchesWords(searchableText(entry), text)
}

function matchesStatus(entry: JournalEntry, option: string): boolean {
  if (option === 'any') return true
  if (option === 'with fault') return entry.fault !== null
  if (option === 'no matching operation') return entry.operation === null
  return String(entry.response.status).startsWith(option.slice(0, 1))
}

function searchableText(entry: JournalEntry): string {
  const { method, path, query, operation, key, response } = entry
  const pairs = Object.entries(query).map((pair) => pair.join('='))
  return [method, path, ...pairs, operation, key?.label, key?.value, response.status].join(' ')
}

export function RequestToolbar(props: {
  field: (name: keyof RequestFilter) => { value: string; onChange: (value: string) => void }
  shown: readonly JournalEntry[]
  selected: ReadonlySet<number>
  isPaused: boolean
  newCount: number
  onPause: () => void
}) {
  const { field, shown, selected, isPaused, newCount, onPause } = props
  const changed = field('changed')
  const { remote, journal } = useDashboard()
  const action = useActionButton()
  const ids = selected.size > 0 ? selected : new Set(shown.map(({ id }) => id))
  const download = async () => downloadJson('understudy.har', await fetchHar(remote, ids))
  return (
    <div class="toolbar">
      <SearchField
        label="Filter"
        placeholder="Filter, e.g. patch annotations 404"
        {...field('text')}
      />
      <Select label="Status" hideLabel options={statusOptions} {...field('status')} />
      <Checkbox
        label="With changes only"
        value={changed.value !== ''}
        onChange={(isOn) => changed.onChange(isOn ? 'only' : '')}
      />
      <span class="count" aria-live="polite">
        {selected.size > 0 ? `${selected.size} selected` : `${shown.length} shown`}
      </span>
      <div class="actions">
        <Button icon={isPaused ? Play : Pause} aria-pressed={isPaused} onClick={onPause}>
          {isPaused ? `Resume${newCount > 0 ? ` (${newCount} new)` : ''}` : 'Pause'}
        </Button>
        {action('Export HAR', 'Downloaded understudy.har.', download, {
          disabled: ids.size === 0,
          icon: Download,
        })}
        <DialogButton label="Save as scenario…" title="Save as scenario" disabled={ids.size === 0}>
          {(close) => <ScenarioForm entries={[...ids].sort((a, b) => a - b)} onClose={close} />}
        </DialogButton>
        {action('Clear log', 'Request log cleared.', () => journal.clear(), { icon: Trash })}
      </div>
    </div>
  )
}

function ScenarioForm(props: { entries: readonly number[]; onClose: () => void }) {
  const { entries, onClose } = props
  const { remote } = useDashboard()
  const [title, setTitle] = useState('')
  const [warnings, setWarnings] = useState<Recording['warnings']>([])
  const save = async () => {
    const { scenario, warnings } = await remote.record({ entries, ...(title !== '' && { title }) })
    const fileName = `${toFileName(scenario.title)}.json`
    downloadJson(fileName, scenario, formatJson(scenario))
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

function toFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return name === '' ? 'scenario' : name
}
