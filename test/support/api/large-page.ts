import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import type { WorldJson } from '../../../src/index.ts'
import { authorization } from './headers.ts'
import { annotationsPath } from './paths.ts'

/** A page of so many rows is made in slices. */
export const largePage = 'limit=20000'

const [row] = defaultWorld.annotations

/** A world with one page that is large. */
export const largeWorld = {
  ...defaultWorld,
  next_ids: {},
  annotations: Array.from({ length: 8_200 }, (_, index) => ({
    ...row,
    id: index + 1,
    content: `${index % 2 === 0 ? 'Even' : 'Odd'} ${index} ü`,
    date_marker: new Date(1_700_000_000_000 + index * 60_000).toISOString(),
    scope: index % 3 === 0 ? 'organization' : 'project',
  })),
} as unknown as WorldJson

/** The rows of small pages. */
export async function smallPages(origin: string, query = ''): Promise<unknown[]> {
  const rows: unknown[] = []
  let next: string | null = `${origin}${annotationsPath}?limit=4100${query}`
  while (next) {
    const page = (await (await fetch(next, { headers: authorization() })).json()) as {
      results: unknown[]
      next: string | null
    }
    rows.push(...page.results)
    next = page.next
  }
  return rows
}
