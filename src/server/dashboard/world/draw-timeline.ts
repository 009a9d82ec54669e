import uPlot from 'uplot'
import type { Timeline } from '../../../world/edit/timeline.ts'
import { countByScope, stackCounts } from './timeline-series.ts'

const height = 130
const day = 86_400

/**
 * Draws a timeline, anew whenever the theme or the width changes.
 *
 * @param onChoose told of the days that were dragged over
 * @returns takes it away
 */
export function drawTimeline(
  place: HTMLElement,
  timeline: Timeline,
  onChoose: (since: string, until: string) => void,
): () => void {
  const scopes = countByScope(timeline).map(([scope]) => scope)
  let plot = draw()
  const redraw = () => {
    plot.destroy()
    plot = draw()
  }
  const system = matchMedia('(prefers-color-scheme: dark)')
  const size = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height }))
  size.observe(place)
  system.addEventListener('change', redraw)
  addEventListener('themechange', redraw)
  return () => {
    size.disconnect()
    system.removeEventListener('change', redraw)
    removeEventListener('themechange', redraw)
    plot.destroy()
  }

  function draw(): uPlot {
    const [ink, line] = [resolveColor(place, 'ink-of-axis'), resolveColor(place, 'ink-of-grid')]
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 },
    }
    return new uPlot(
      {
        width: place.clientWidth,
        height,
        legend: { show: false },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
        axes: [
          axis,
          {
            ...axis,
            size: 44,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 5e4, 1e5],
          },
        ],
        scales: {
          x: { time: true, range: padRange },
          y: { range: (_, __, most) => [0, Math.max(1, most)] },
        },
        series: [
          {},
          ...scopes.map((scope) => {
            const colour = resolveColor(place, `scope ${scope}`)
            const paths = (uPlot.paths.bars as NonNullable<typeof uPlot.paths.bars>)({
              size: [0.8, 24],
            })
            return { fill: colour, width: 0, points: { show: false }, paths }
          }),
        ],
        hooks: { setSelect: [chosen] },
      },
      stackCounts(timeline, scopes),
      place,
    )
  }

  function chosen({ select, posToVal }: uPlot): void {
    if (select.width < 4) return
    const from = posToVal(select.left, 'x')
    const to = posToVal(select.left + select.width, 'x')
    onChoose(toIsoDate(Math.floor(from / day)), toIsoDate(Math.ceil(to / day)))
  }
}

/** Bars at the edges stand whole, and a single one has a width. */
function padRange(_: uPlot, from: number, to: number): [number, number] {
  const edge = Math.max((to - from) * 0.03, day / 2)
  return [from - edge, to + edge]
}

/** @example dayOf(19875) // '2024-06-01' */
function toIsoDate(days: number): string {
  return new Date(days * day * 1_000).toISOString().slice(0, 10)
}

/** The colour that a class gives to text: a canvas knows no variables. */
function resolveColor(place: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.className = name
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
