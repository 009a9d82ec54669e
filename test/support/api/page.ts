import type { Reply } from '../transports/client.ts'

/** The ids of the rows of a page. */
export function idsOf({ body }: Reply): number[] {
  return (body as { results: { id: number }[] }).results.map(({ id }) => id)
}
