import { useEffect, useRef } from 'preact/hooks'
import type { Timeline } from '../../world/timeline.ts'
import { useDashboard } from '../kit/place.ts'
import { ErrorMessage } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'
import { type AnnotationFilter, toAnnotationQuery } from './annotation-filter.tsx'
import { countByScope } from './timeline-series.ts'
import { TimelineTable } from './timeline-table.tsx'

interface TimelineViewProps {
  readonly filter: AnnotationFilter
  readonly setFilter: (filter: AnnotationFilter) => void
  /** Another one whenever rows may be others. */
  readonly version: string
}

/** When annotations lie, coloured by scope. Dragging over a part of it shows that part alone. */
export function TimelineView({ filter, setFilter, version }: TimelineViewProps) {
  const { remote } = useDashboard()
  const query = toAnnotationQuery(filter)
  const { value, error } = useLoad(
    () => remote.world.timeline(query),
    [remote, JSON.stringify(query), version],
  )
  if (error) return <ErrorMessage error={error} />
  if (!value) return <figure class="timeline" />
  const choose = (since: string, until: string) => setFilter({ ...filter, since, until })
  const isCut = filter.since !== '' || filter.until !== ''
  return (
    <figure class="timeline">
      {value.steps.length > 0 && <Plot timeline={value} onChoose={choose} />}
      <figcaption>
        <Legend timeline={value} />
        {isCut && (
          <button type="button" class="quiet" onClick={() => choose('', '')}>
            Show all time
          </button>
        )}
        <TimelineTable timeline={value} />
      </figcaption>
    </figure>
  )
}

function Legend({ timeline }: { timeline: Timeline }) {
  const { undated, unit, steps } = timeline
  return (
    <p>
      {steps.length > 0 && <span class="dim">By the {unit}:</span>}
      {countByScope(timeline).map(([scope, count]) => (
        <span key={scope} class={`scope ${scope}`}>
          {scope} {count.toLocaleString('en')}
        </span>
      ))}
      {undated > 0 && <span class="dim">{undated.toLocaleString('en')} without a date</span>}
    </p>
  )
}

interface PlotProps {
  readonly timeline: Timeline
  readonly onChoose: (since: string, until: string) => void
}

function Plot({ timeline, onChoose }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    let isGone = false
    let end = () => {}
    import('./draw-timeline.ts').then(({ drawTimeline }) => {
      if (isGone || !place.current) return
      end = drawTimeline(place.current, timeline, (since, until) => choose.current(since, until))
    })
    return () => {
      isGone = true
      end()
    }
  }, [timeline])
  return <div ref={place} class="plot" aria-hidden="true" />
}
