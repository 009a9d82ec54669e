import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

const journal = '/__admin/journal'

test('the journal is listed, filtered and cleared', async () => {
  const { ask, control, simulator } = await serve()
  await ask('GET', annotationsPath)
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere')

  const ids = async (query: string) => {
    const { body } = await control('GET', `${journal}${query}`)
    return (body as { id: number }[]).map(({ id }) => id)
  }

  expect(await control('GET', journal)).toEqual({
    status: 200,
    body: JSON.parse(JSON.stringify(simulator.journal.find())),
  })
  expect(await ids('?operation=createAnnotation')).toEqual([2])
  expect(await ids('?status=4xx')).toEqual([3])
  expect(await ids('?status=200')).toEqual([1])
  expect(await ids('?key=all&limit=2')).toEqual([2, 3])
  expect(await ids('?unmatched=true')).toEqual([3])
  expect(await ids('?since=2024-06-15T12:00:01Z')).toEqual([])
  expect(await control('DELETE', journal)).toEqual({ status: 204, body: undefined })
  expect(await ids('')).toEqual([])
})

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
