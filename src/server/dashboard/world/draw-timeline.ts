import uPlot from 'uplot'

interface StackedBars {
  readonly scopes: readonly string[]
  readonly data: [number[], ...number[][]]
}

const height = 130
const day = 86_400

/**
 * Draws a timeline, and draws it again whenever the theme or the width changes.
 *
 * @param onSelect called with the first and the last day that the user dragged over
 * @returns a function that removes the chart
 */
export function drawTimeline(
  container: HTMLElement,
  { scopes, data }: StackedBars,
  onSelect: (since: string, until: string) => void,
): () => void {
  let plot = draw()
  const redraw = () => {
    plot.destroy()
    plot = draw()
  }
  const systemTheme = matchMedia('(prefers-color-scheme: dark)')
  const resizeObserver = new ResizeObserver(() =>
    plot.setSize({ width: container.clientWidth, height }),
  )
  resizeObserver.observe(container)
  systemTheme.addEventListener('change', redraw)
  addEventListener('themechange', redraw)
  return () => {
    resizeObserver.disconnect()
    systemTheme.removeEventListener('change', redraw)
    removeEventListener('themechange', redraw)
    plot.destroy()
  }

  function draw(): uPlot {
    const axisColor = resolveColor(container, 'axis-color')
    const gridColor = resolveColor(container, 'grid-color')
    const axis = {
      stroke: axisColor,
      grid: { stroke: gridColor, width: 1 },
      ticks: { stroke: gridColor, width: 1 },
    }
    return new uPlot(
      {
        width: container.clientWidth,
        height,
        // The last date is centered below its tick, and needs room on the right.
        padding: [null, 40, null, null],
        legend: { show: false },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
        axes: [
          { ...axis, space: 90, values: (_, times) => times.map(toAxisText) },
          {
            ...axis,
            size: 44,
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 5e4, 1e5],
          },
        ],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
        scales: {
          x: { time: true, range: padRange },
          y: { range: (_, __, max) => [0, Math.max(1, max)] },
        },
        series: [
          {},
          ...scopes.map((scope) => {
            const fill = resolveColor(container, `scope ${scope}`)
            const paths = (uPlot.paths.bars as NonNullable<typeof uPlot.paths.bars>)({
              size: [0.8, 24],
            })
            return { fill, width: 0, points: { show: false }, paths }
          }),
        ],
        hooks: { setSelect: [selectDays] },
      },
      data,
      container,
    )
  }

  function selectDays({ select, posToVal }: uPlot): void {
    if (select.width < 4) return
    const from = posToVal(select.left, 'x')
    const to = posToVal(select.left + select.width, 'x')
    onSelect(toIsoDate(Math.floor(from / day)), toIsoDate(Math.ceil(to / day)))
  }
}

/** Leaves room for whole bars at the edges, and for the width of a single bar. */
function padRange(_: uPlot, from: number, to: number): [number, number] {
  const edge = Math.max((to - from) * 0.03, day / 2)
  return [from - edge, to + edge]
}

/** A day, or a time within a day: in the format of the rest of the page. */
function toAxisText(seconds: number): string {
  const [date = '', time = ''] = new Date(seconds * 1_000).toISOString().split('T')
  return seconds % day === 0 ? date : `${date.slice(5)} ${time.slice(0, 5)}`
}

function toIsoDate(days: number): string {
  return new Date(days * day * 1_000).toISOString().slice(0, 10)
}

/** Returns the text color of a CSS class. A canvas cannot use CSS variables. */
function resolveColor(container: HTMLElement, className: string): string {
  const probe = document.createElement('span')
  probe.className = className
  container.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
