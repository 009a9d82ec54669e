import { expect, test } from 'vitest'
import { serve } from '../../support/transports/start.ts'

const journal = '/__admin/journal'

test('requests to the control API never appear in the journal, even for unknown paths', async () => {
  const { control, origin, simulator } = await serve()
  const { id } = simulator.sandboxes.create()

  await control('GET', journal)
  const { body } = await control('GET', '/__admin/jornl')
  const refused = await fetch(origin + journal, { method: 'PATCH' })
  await control('GET', `/__sandbox/${id}${journal}`)
  await control('GET', `/__sandbox/${id}/__admin/nowhere`)

  expect(body).toMatchObject({ detail: 'Endpoint not found. Did you mean /__admin/journal?' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
})
