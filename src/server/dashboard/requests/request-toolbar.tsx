import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { SearchField } from '../kit/table.tsx'
import { downloadHar } from './export.ts'
import { SaveScenario } from './save-scenario.tsx'

interface RequestToolbarProps {
  readonly filter: RequestFilter
  readonly setFilter: (filter: RequestFilter) => void
  readonly shown: readonly JournalEntry[]
  readonly selected: ReadonlySet<number>
  readonly isPaused: boolean
  /** How many have come since it was paused. */
  readonly coming: number
  readonly onPause: () => void
}

/** What is done with the list as a whole, or with those that are selected. */
export function RequestToolbar(props: RequestToolbarProps) {
  const { filter, setFilter, shown, selected, isPaused, coming, onPause } = props
  const { remote, journal } = useDashboard()
  const act = useAction()
  const chosen = selected.size > 0 ? selected : new Set(shown.map(({ id }) => id))
  return (
    <div class="toolbar">
      <SearchField
        label="Filter"
        placeholder="Filter: patch annotations 404"
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
      />
      <label>
        <span class="unseen">Status</span>
        <select
          value={filter.status}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ ...filter, status: value as StatusOption })
          }
        >
          {statusOptions.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 'any' ? 'Any status' : choice}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.changedOnly}
          onChange={({ currentTarget }) =>
            setFilter({ ...filter, changedOnly: currentTarget.checked })
          }
        />
        Changed rows
      </label>
      <span class="count" aria-live="polite">
        {selected.size > 0 ? `${selected.size} selected` : `${shown.length} shown`}
      </span>
      <button type="button" aria-pressed={isPaused} onClick={onPause}>
        {isPaused ? `Resume${coming > 0 ? ` (${coming} new)` : ''}` : 'Pause'}
      </button>
      <button
        type="button"
        disabled={chosen.size === 0}
        onClick={() => act('Exported as understudy.har.', () => downloadHar(remote, chosen))}
      >
        Export HAR
      </button>
      <SaveScenario entries={[...chosen].sort((a, b) => a - b)} />
      <button type="button" onClick={() => act('Forgot all requests.', () => journal.clear())}>
        Clear
      </button>
    </div>
  )
}

/** Which requests are shown. */
interface RequestFilter {
  /** Every word of it stands in the line of a request: `patch annotations 404` */
  readonly text: string
  readonly status: StatusOption
  /** Only those that changed rows */
  readonly changedOnly: boolean
}

const statusOptions = ['any', '2xx', '4xx', '5xx', 'disturbed', 'unknown path'] as const
type StatusOption = (typeof statusOptions)[number]

export const emptyRequestFilter: RequestFilter = { text: '', status: 'any', changedOnly: false }

export function matchesFilter(
  entry: JournalEntry,
  { text, status, changedOnly }: RequestFilter,
): boolean {
  if (changedOnly && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const line = words.length === 0 ? '' : searchableText(entry)
  return words.every((word) => line.includes(word))
}

function matchesStatus({ answer, fault, operation }: JournalEntry, choice: StatusOption): boolean {
  if (choice === 'any') return true
  if (choice === 'disturbed') return fault !== null
  if (choice === 'unknown path') return operation === null
  return String(answer.status).startsWith(choice.slice(0, 1))
}

/** All that a word is looked for in. */
function searchableText({ method, path, query, operation, key, answer }: JournalEntry): string {
  const parts = [method, path, ...Object.entries(query).map((pair) => pair.join('='))]
  return [...parts, operation, key?.label, key?.value, answer.status].join(' ').toLowerCase()
}
