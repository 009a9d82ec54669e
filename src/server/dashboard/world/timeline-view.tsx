import { useEffect, useRef } from 'preact/hooks'
import type { AnnotationQuery, Timeline, TimelineStep } from '../../../world/edit/find-rows.ts'
import { useWorldData } from '../kit/context.ts'
import { Button } from '../kit/fields.tsx'
import { formatDateTime, formatNumber } from '../kit/format.ts'
import { ErrorMessage } from '../kit/panels.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

/** Selects days such as 2024-06-01, or all time by empty strings. */
type SetRange = (since: string, until: string) => void

/** A chart of annotations over time, colored by scope. Dragging selects a date range. */
export function TimelineView(props: { query: AnnotationQuery; setRange: SetRange }) {
  const { query, setRange } = props
  const { value, error } = useWorldData(
    ({ world }) => world.timeline(query),
    [JSON.stringify(query)],
  )
  if (error) return <ErrorMessage error={error} />
  if (!value) return <figure class="timeline" />
  return (
    <figure class="timeline">
      {value.steps.length > 0 && <Plot timeline={value} onSelect={setRange} />}
      <figcaption>
        <Legend timeline={value} />
        {(query.since ?? query.until) !== undefined && (
          <Button label="Clear date range" class="quiet" onClick={() => setRange('', '')} />
        )}
        {value.steps.length > 0 && <TimelineTable timeline={value} />}
      </figcaption>
    </figure>
  )
}

function Legend({ timeline }: { timeline: Timeline }) {
  const { undated, unit, steps } = timeline
  return (
    <p>
      {steps.length > 0 && <span class="dim">Per {unit}:</span>}
      {countByScope(timeline).map(([scope, count]) => (
        <span key={scope} class={`scope ${scope}`}>
          {scope} {formatNumber(count)}
        </span>
      ))}
      {undated > 0 && <span class="dim">{formatNumber(undated)} undated</span>}
    </p>
  )
}

function Plot({ timeline, onSelect }: { timeline: Timeline; onSelect: SetRange }) {
  const container = useRef<HTMLDivElement>(null)
  const latestOnSelect = useRef(onSelect)
  latestOnSelect.current = onSelect
  useEffect(() => {
    let isRemoved = false
    let remove = () => {}
    import('./draw-timeline.ts').then(({ drawTimeline }) => {
      if (isRemoved || !container.current) return
      const scopes = scopesOf(timeline)
      remove = drawTimeline(
        container.current,
        { scopes, data: stackCounts(timeline, scopes) },
        (since, until) => latestOnSelect.current(since, until),
      )
    })
    return () => {
      isRemoved = true
      remove()
    }
  }, [timeline])
  return <div ref={container} class="plot" aria-hidden="true" />
}

function TimelineTable({ timeline }: { timeline: Timeline }) {
  const { steps, unit } = timeline
  const columns: readonly Column<TimelineStep>[] = [
    ['', 'Starting', ({ at }) => formatDateTime(at, unit === 'hour' ? 'minute' : 'day')],
    ...scopesOf(timeline).map(
      (scope): Column<TimelineStep> => ['number', scope, ({ counts }) => counts[scope] ?? 0],
    ),
  ]
  return (
    <details>
      <summary>As a table</summary>
      <ScrollArea label="Annotations by time and scope" class="scroll short">
        <Table class="" hasRowHeaders columns={columns} rows={steps} rowKey={({ at }) => at} />
      </ScrollArea>
    </details>
  )
}

function countByScope({ steps }: Timeline): (readonly [scope: string, count: number])[] {
  const totals = new Map<string, number>()
  for (const { counts } of steps) {
    for (const [scope, count] of Object.entries(counts)) {
      totals.set(scope, (totals.get(scope) ?? 0) + count)
    }
  }
  return [...totals].sort((a, b) => b[1] - a[1])
}

function scopesOf(timeline: Timeline): string[] {
  return countByScope(timeline).map(([scope]) => scope)
}

/**
 * Returns the data of a stacked bar chart. A bar is as high as its own count and those of all later scopes, since
 * later series are drawn over earlier ones.
 *
 * @returns the times in seconds, then the heights of each scope
 */
function stackCounts(timeline: Timeline, scopes: readonly string[]): [number[], ...number[][]] {
  const { steps } = timeline
  const times = steps.map(({ at }) => Date.parse(at) / 1_000)
  const heights = scopes.map((_, first) =>
    steps.map(({ counts }) =>
      scopes.slice(first).reduce((sum, scope) => sum + (counts[scope] ?? 0), 0),
    ),
  )
  return [times, ...heights]
}
