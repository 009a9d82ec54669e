import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { downloadJson } from '../kit/copy-download.ts'
import { Button, bindFields, Checkbox, SearchField, Select } from '../kit/fields.tsx'
import { matchesWords } from '../kit/format.ts'
import { fetchHar } from './export.ts'
import { SaveScenario } from './save-scenario.tsx'

type StatusOption = 'any' | '2xx' | '4xx' | '5xx' | 'with fault' | 'no matching operation'

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
  status: 'any' as StatusOption,
  changedOnly: false,
}
type RequestFilter = typeof emptyRequestFilter

export function matchesFilter(
  entry: JournalEntry,
  { text, status, changedOnly }: RequestFilter,
): boolean {
  if (changedOnly && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  return text.trim() === '' || matchesWords(searchableText(entry), text)
}

function matchesStatus(entry: JournalEntry, option: StatusOption): boolean {
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

interface RequestToolbarProps {
  readonly filter: RequestFilter
  readonly setFilter: (filter: RequestFilter) => void
  readonly shown: readonly JournalEntry[]
  readonly selected: ReadonlySet<number>
  readonly isPaused: boolean
  /** The number of requests that arrived since the list was paused. */
  readonly newCount: number
  readonly onPause: () => void
}

/** The filter, and the actions on the selected requests, or on all shown ones if none is selected. */
export function RequestToolbar(props: RequestToolbarProps) {
  const { filter, setFilter, shown, selected, isPaused, newCount, onPause } = props
  const { remote, journal } = useDashboard()
  const run = useAction()
  const field = bindFields(filter, setFilter)
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
      <Checkbox label="With changes only" {...field('changedOnly')} />
      <span class="count" aria-live="polite">
        {selected.size > 0 ? `${selected.size} selected` : `${shown.length} shown`}
      </span>
      <div class="actions">
        <Button aria-pressed={isPaused} onClick={onPause}>
          {isPaused ? `Resume${newCount > 0 ? ` (${newCount} new)` : ''}` : 'Pause'}
        </Button>
        <Button
          disabled={ids.size === 0}
          onClick={() => run('Downloaded understudy.har.', download)}
        >
          Export HAR
        </Button>
        <SaveScenario entries={[...ids].sort((a, b) => a - b)} />
        <Button onClick={() => run('Request log cleared.', () => journal.clear())}>
          Clear log
        </Button>
      </div>
    </div>
  )
}
