import type { Sighting } from './sighting.ts'

/** How far the clock of the service is ahead of the client's, in milliseconds. It differs if a clock stands still. */
export interface Skew {
  readonly least: number
  readonly median: number
  readonly most: number
}

/**
 * Measures the skew by the times of rows that requests wrote, since other rows are compared with them, else by the `date`
 * headers. Null if no response has a time.
 */
export function measureSkew(sightings: readonly Sighting[]): Skew | null {
  const byRows = sightings.flatMap(({ method, rows, from, until }) => {
    const updatedAt = method === 'GET' ? Number.NaN : Date.parse(String(rows[0]?.updated_at))
    return Number.isNaN(updatedAt) ? [] : [outside(updatedAt, from, until)]
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

/** The distance of a time from a range. 0 within it. */
function outside(time: number, from: number, until: number): number {
  return time < from ? time - from : Math.max(0, time - until)
}
