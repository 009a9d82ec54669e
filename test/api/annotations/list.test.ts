import { expect, test } from 'vitest'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('annotations are sorted by date_marker, newest first, to the microsecond, and those without one come first; equal ones by id', async () => {
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
    null,
    '2024-06-01T00:00:00Z',
  ]
  for (const date_marker of markers) simulator.world.annotations.add({ date_marker })

  const expected = [11, 2, 6, 8, 9, 10, 3, 12, 1, 5, 7, 4]
  expect(idsOf(await ask('GET', annotationsPath))).toEqual(expected)
  for (const [offset, id] of expected.entries()) {
    expect
      .soft(idsOf(await ask('GET', `${annotationsPath}?limit=1&offset=${offset}`)), `${offset}`)
      .toEqual([id])
  }
})
