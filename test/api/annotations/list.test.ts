import { expect, test } from 'vitest'
import { notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

test('an unknown id and an id that is not an integer respond with 404', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ profile, world })
    // 22 is organization-wide in another organization.
    for (const id of '22 999 0 -1 abc 1e3 0x1 1,2 %00 99999999999999999999'.split(' ')) {
      expect.soft(await ask('GET', `${annotationsPath}${id}/`), id).toEqual(notFound())
      expect
        .soft(await ask('PATCH', `${annotationsPath}${id}/`, { body: {} }), id)
        .toEqual(notFound())
    }
  }
})

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
