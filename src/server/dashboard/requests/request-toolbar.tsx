import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { SearchField } from '../kit/table.tsx'
import { downloadHar } from './export.ts'
import { type RequestFilter, type StatusOption, statusOptions } from './request-filter.ts'
import { SaveScenario } from './save-scenario.tsx'

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
  const ids = selected.size > 0 ? selected : new Set(shown.map(({ id }) => id))
  return (
    <div class="toolbar">
      <SearchField
        label="Filter"
        placeholder="Filter, e.g. patch annotations 404"
        value={filter.text}
        onChange={(text) => setFilter({ ...filter, text })}
      />
      <label>
        <span class="visually-hidden">Status</span>
        <select
          value={filter.status}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ ...filter, status: value as StatusOption })
          }
        >
          {statusOptions.map((option) => (
            <option key={option} value={option}>
              {option === 'any' ? 'Any status' : option}
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
        With changes only
      </label>
      <span class="count" aria-live="polite">
        {selected.size > 0 ? `${selected.size} selected` : `${shown.length} shown`}
      </span>
      <div class="actions">
        <button type="button" aria-pressed={isPaused} onClick={onPause}>
          {isPaused ? `Resume${newCount > 0 ? ` (${newCount} new)` : ''}` : 'Pause'}
        </button>
        <button
          type="button"
          disabled={ids.size === 0}
          onClick={() => run('Downloaded understudy.har.', () => downloadHar(remote, ids))}
        >
          Export HAR
        </button>
        <SaveScenario entries={[...ids].sort((a, b) => a - b)} />
        <button type="button" onClick={() => run('Request log cleared.', () => journal.clear())}>
          Clear log
        </button>
      </div>
    </div>
  )
}
