// Worlds of many annotations: the rows of the fixture `default` around them.
import { readFileSync } from 'node:fs'

const base = JSON.parse(
  readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8'),
)

const annotation = (index) => ({
  ...base.annotations[0],
  id: index + 1,
  content: `Release ${index} of the shop: faster checkout and fewer errors`,
  date_marker: new Date(1_500_000_000_000 + index * 60_000).toISOString().replace('.000Z', 'Z'),
})

/** A page of 100 is about 57 kB: annotations with an author and a dashboard item. */
export function worldOf(count) {
  const annotations = Array.from({ length: count }, (_, index) => annotation(index))
  return { ...base, next_ids: { annotations: count + 1 }, annotations }
}
