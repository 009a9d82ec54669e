import { expect, test } from 'vitest'
import type { Reply } from './support/client.ts'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const ids = ({ body }: Reply) => (body as { results: { id: number }[] }).results.map(({ id }) => id)

test('markers go from the newest to the oldest, to the microsecond, and none comes first [§4.1:order]', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const markers = [
    '2024-06-01T00:00:00Z',
    null,
    '2024-06-01T00:00:00.000001Z',
    '0001-01-01T00:00:00Z',
    '2024-05-31T23:59:59.999999Z',
    '9999-12-31T23:59:59.999999Z',
    '1969-12-31T23:59:59.500000Z',
    '2024-06-01T00:00:00.001000Z',
    '2024-06-01T00:00:00.000999Z',
    '2024-06-01T00:00:00.000998Z',
  ]
  for (const date_marker of markers) simulator.world.annotations.create({ date_marker })

  const expected = [2, 6, 8, 9, 10, 3, 1, 5, 7, 4]
  expect(ids(await ask('GET', list))).toEqual(expected)
  for (const [offset, id] of expected.entries()) {
    expect(ids(await ask('GET', `${list}?limit=1&offset=${offset}`)), `${offset}`).toEqual([id])
  }
})

test('a marker counts by its moment, not by how it was written [§4.1:order] [§4:dates]', async () => {
  const { ask } = await start({ world: 'empty' })
  for (const date_marker of [
    '2024-06-01T10:00:00+02:00',
    '2024-06-01T08:30:00Z',
    '2024-06-01T04:15:00-04:00',
  ]) {
    await ask('POST', list, { body: { date_marker } })
  }

  expect(ids(await ask('GET', list))).toEqual([2, 3, 1])
})

test('of one moment, or without any, the newest id comes first, organization-wide or not [§4.1:order] [§4:visibility]', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const date_marker = '2024-06-01T00:00:00Z'
  for (const scope of ['project', 'organization', 'dashboard_item', 'organization']) {
    simulator.world.annotations.create({ date_marker, scope })
    simulator.world.annotations.create({ date_marker: null, scope })
  }

  expect(ids(await ask('GET', list))).toEqual([8, 6, 4, 2, 7, 5, 3, 1])
  expect(ids(await ask('GET', `${list}?limit=3&offset=3`))).toEqual([2, 7, 5])
})
