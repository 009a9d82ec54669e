import type { SeenRow, Sighting } from './sighting.ts'

/** How far the clock of the service is ahead of the client's, in milliseconds. It differs if a clock stands still. */
export interface Skew {
  readonly least: number
  readonly median: number
  readonly most: number
}

/**
 * Measures the skew by the times of rows that requests wrote, since other rows are compared with them, else by the `date`
 * headers. A row that was seen before was not written. Null if no response has a time.
 */
export function measureSkew(sightings: readonly Sighting[]): Skew | null {
  const seen = new Set<SeenRow>()
  const byRows = sightings.flatMap(({ method, rows, from, until }) => {
    const written = method === 'GET' ? [] : rows.slice(0, 1).filter((row) => !seen.has(row))
    for (const row of rows) seen.add(row)
    return timesOf(written, ['updated_at']).map((time) => outside(time, from, until))
  })
  // The header has whole seconds.
  const byHeaders = sightings.flatMap(({ date, from, until }) =>
    date === null ? [] : [outside(date, from - 1_000, until)],
  )
  const skews = (byRows.length > 0 ? byRows : byHeaders).sort((a, b) => a - b)
  const [least] = skews
  if (least === undefined) return null
  const median = skews[Math.floor(skews.length / 2)] as number
  return { least, median, most: skews.at(-1) as number }
}

/**
 * When the service processed the first request, by its own clock: milliseconds since 1970. Not before the latest time
 * that its response shows.
 *
 * @param skew that of the clock of the service, in milliseconds
 */
export function startOf(first: Sighting | undefined, skew: number): number {
  const shown = timesOf(first?.rows ?? [], ['created_at', 'updated_at'])
  return shown.reduce((latest, time) => Math.max(latest, time), (first?.from ?? 0) + skew)
}

function timesOf(rows: readonly SeenRow[], fields: readonly string[]): number[] {
  return rows.flatMap((row) =>
    fields.flatMap((field) => {
      const time = Date.parse(String(row[field]))
      return Number.isNaN(time) ? [] : time
    }),
  )
}

/** The distance of a time from a range. 0 within it. */
function outside(time: number, from: number, until: number): number {
  return time < from ? time - from : Math.max(0, time - until)
}
