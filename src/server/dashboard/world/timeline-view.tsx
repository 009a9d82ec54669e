import { useEffect, useRef } from 'preact/hooks'
import type { AnnotationQuery, Timeline, TimelineStep } from '../../../world/edit/find-rows.ts'
import { useDashboard } from '../kit/context.ts'
import { Button } from '../kit/fields.tsx'
import { formatDateTime } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { ErrorMessage } from '../kit/panels.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'

interface TimelineViewProps {
  readonly query: AnnotationQuery
  /** Selects days such as 2024-06-01, or all time by empty strings. */
  readonly setRange: (since: string, until: string) => void
  /** Changes whenever rows may have changed. */
  readonly version: string
}

/** A chart of annotations over time, colored by scope. Dragging selects a date range. */
export function TimelineView({ query, setRange, version }: TimelineViewProps) {
  const { remote } = useDashboard()
  const { value, error } = useLoad(
    () => remote.world.timeline(query),
    [remote, JSON.stringify(query), version],
  )
  if (error) return <ErrorMessage error={error} />
  if (!value) return <figure class="timeline" />
  return (
    <figure class="timeline">
      {value.steps.length > 0 && <Plot timeline={value} onSelect={setRange} />}
      <figcaption>
        <Legend timeline={value} />
        {(query.since ?? query.until) !== undefined && (
          <Button class="quiet" onClick={() => setRange('', '')}>
            Clear date range
          </Button>
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
          {scope} {count.toLocaleString('en')}
        </span>
      ))}
      {undated > 0 && <span class="dim">{undated.toLocaleString('en')} undated</span>}
    </p>
  )
}

type PlotProps = { timeline: Timeline; onSelect: TimelineViewProps['setRange'] }

function Plot({ timeline, onSelect }: PlotProps) {
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
    [
      '',
      'Starting',
      ({ at }) => (unit === 'hour' ? formatDateTime(at, 'minute') : at.slice(0, 10)),
    ],
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
