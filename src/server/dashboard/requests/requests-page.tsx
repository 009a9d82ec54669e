import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { Button } from '../kit/fields.tsx'
import { formatCount } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestTable } from './request-table.tsx'
import { emptyRequestFilter, matchesFilter, RequestToolbar } from './request-toolbar.tsx'

const rowsPerBatch = 200

/** The requests to the world, updated live. */
export function RequestsPage({ id }: { id: string | undefined }) {
  const { remote, journal: store, link } = useDashboard()
  const journal = useStore(store)
  const [filter, setFilter] = useState(emptyRequestFilter)
  const [paused, setPaused] = useState<readonly JournalEntry[] | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [rowLimit, setRowLimit] = useState(rowsPerBatch)
  useEffect(() => setSelected(new Set()), [remote])

  const entries = paused ?? journal.entries
  const shown = useMemo(
    () => entries.filter((entry) => matchesFilter(entry, filter)),
    [entries, filter],
  )
  const open = id === undefined ? undefined : Number(id)
  const newCount = paused ? journal.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length : 0

  return (
    <div class={open === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Requests">
        <RequestToolbar
          {...{ filter, setFilter, shown, selected, newCount }}
          isPaused={paused !== null}
          onPause={() => setPaused(paused === null ? journal.entries : null)}
        />
        {journal.missed > 0 && (
          <p class="hint">
            {formatCount(journal.missed, 'request is', 'requests are')} not shown because they
            arrived too fast.
          </p>
        )}
        {journal.state === 'lost' && journal.error && <ErrorMessage error={journal.error} />}
        {entries.length === 0 && <NoRequests />}
        {entries.length > 0 && shown.length === 0 && (
          <EmptyState title="No requests match the filter." />
        )}
        {shown.length > 0 && (
          <RequestTable {...{ selected, setSelected, open }} entries={shown.slice(0, rowLimit)} />
        )}
        {shown.length > rowLimit && (
          <Button class="more" onClick={() => setRowLimit(rowLimit + rowsPerBatch)}>
            Show older requests ({shown.length - rowLimit})
          </Button>
        )}
      </section>
      {open !== undefined && <RequestDetail key={open} id={open} back={link('requests')} />}
    </div>
  )
}

/** Shows how to send a first request, with a key of the world. */
function NoRequests() {
  const { remote } = useDashboard()
  const { value: keys } = useLoad(() => remote.keys.list(), [remote])
  const key = keys?.[0]?.value ?? '…'
  return (
    <EmptyState title="No requests yet. They appear here as they arrive.">
      {keys && (
        <p>
          <code>
            curl -H 'Authorization: Bearer {key}' {remote.url}/api/projects/
          </code>
        </p>
      )}
    </EmptyState>
  )
}
