import { expect, test } from 'vitest'
import { idsOf } from '../../../support/api/page.ts'
import { annotationsPath } from '../../../support/api/paths.ts'
import { serve } from '../../../support/transports/start.ts'

test('16 clients at once, each in its sandbox, by its key or its URL, never share a row', async () => {
  const { ask, simulator } = await serve()
  const before = simulator.world.toJSON()
  const sandboxes = Array.from({ length: 16 }, () => simulator.sandboxes.create())

  const contents = await Promise.all(
    sandboxes.map(async ({ id, key }, index) => {
      const path = index % 2 === 0 ? annotationsPath : `/__sandbox/${id}${annotationsPath}`
      await ask('POST', path, { key, body: { content: id } })
      await ask('PATCH', `${path}1/`, { key, body: { content: id } })
      await ask('PATCH', `${path}2/`, { key, body: { deleted: index % 2 === 0 } })
      const page = await ask('GET', `${path}?search=sandbox-`, { key })
      const hidden = await ask('GET', `${path}2/`, { key })
      return [idsOf(page).sort(), hidden.status]
    }),
  )

  expect(contents).toEqual(sandboxes.map((_, index) => [[1, 9], index % 2 === 0 ? 404 : 200]))
  for (const { id } of sandboxes) {
    const own = simulator.sandboxes.get(id)?.world.find('annotations', { search: 'sandbox-' })
    expect.soft(own?.rows.map(({ content }) => content)).toEqual([id, id])
  }
  expect(simulator.world.toJSON()).toEqual(before)
})
