import { expect, test } from 'vitest'
import { authorization } from '../../support/api/headers.ts'
import { largePage, smallPages, largeWorld as world } from '../../support/api/large-page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

// How a large page is sent is tested on each transport: test/transport/large-lists.test.ts.

test.each([
  ['of a search, behind other rows', '&search=ü&offset=3', {}, 8_197],
  ['in another version', '', { versioning: 'may_2024' }, 8_200],
  ['with deleted rows', '', { 'annotations.deleted.visibility': 'listed' }, 8_200],
] as const)('a large page %s has the rows of small ones', async (name, query, settings, count) => {
  const { origin, simulator } = await start({ world, settings })
  if (name === 'with deleted rows') simulator.world.annotations.update(7, { deleted: true })
  const rows = await smallPages(origin, query)

  const response = await fetch(`${origin}${annotationsPath}?${largePage}${query}`, {
    headers: authorization(),
  })

  const { results } = (await response.json()) as { results: unknown[] }
  // As texts: thousands of rows are compared field by field in ten times as long.
  expect(JSON.stringify(results)).toBe(JSON.stringify(rows))
  expect(rows).toHaveLength(count)
})

test('a large page between other rows has links to them, and the journal notes the one before it', async () => {
  const { origin, simulator } = await start({ world })
  const rows = await smallPages(origin)

  const response = await fetch(`${origin}${annotationsPath}?limit=8195&offset=3`, {
    headers: authorization(),
  })

  const page = {
    count: 8_200,
    next: `${origin}${annotationsPath}?limit=8195&offset=8198`,
    previous: `${origin}${annotationsPath}?limit=8195`,
    results: rows.slice(3, 8_198),
  }
  expect(await response.text()).toBe(JSON.stringify(page))
  const entry = simulator.journal.find({ operation: 'listAnnotations' }).at(-1)
  expect(entry?.preceding_row).toBe((rows[2] as { id: number }).id)
})

test('a fault changes a large page like any other', async () => {
  const { simulator, origin } = await start({ world })
  simulator.faults.add({ preset: 'variant:annotation.content=null' })

  const response = await fetch(`${origin}${annotationsPath}?${largePage}`, {
    headers: authorization(),
  })

  const { results } = (await response.json()) as { results: { content: unknown }[] }
  expect(results).toHaveLength(8_200)
  expect(results.every(({ content }) => content === null)).toBe(true)
})
