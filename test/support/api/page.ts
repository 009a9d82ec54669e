import type { Reply } from '../lanes/client.ts'

/** The ids of the rows of a page. */
export function idsOf({ body }: Reply): number[] {
  return (body as { results: { id: number }[] }).results.map(({ id }) => id)
}
