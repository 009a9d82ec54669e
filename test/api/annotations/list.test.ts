import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

const pathOf = (project: number, id: number | string = '') =>
  `/api/projects/${project}/annotations/${id === '' ? '' : `${id}/`}`
test('a project sees its own annotations and the organization-wide ones of its organization', async () => {
  const { ask } = await start({ world })
  const key = 'phx_noor'

  expect(idsOf(await ask('GET', pathOf(1), { key }))).toEqual([5, 4, 1, 3, 8, 2])
  expect(idsOf(await ask('GET', pathOf(2), { key }))).toEqual([7, 3])
  expect(idsOf(await ask('GET', pathOf(3), { key }))).toEqual([22, 21])
})

test('a project can retrieve exactly the annotations that it lists', async () => {
  const { ask } = await start({ world })
  const visibleIds = { 1: [1, 2, 3, 4, 5, 8], 2: [3, 7], 3: [21, 22] } as const
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 21, 22]

  for (const project of [1, 2, 3] as const) {
    const listed: readonly number[] = visibleIds[project]
    for (const id of all) {
      const response = await ask('GET', pathOf(project, id), { key: 'phx_noor' })
      if (listed.includes(id)) expect.soft(response).toMatchObject({ status: 200, body: { id } })
      else expect.soft(response).toEqual(notFound())
    }
  }
})

test('changing the scope of an annotation makes it visible and invisible in other projects', async () => {
  const { ask } = await start({ world })

  await ask('PATCH', pathOf(1, 2), { body: { scope: 'organization' } })
  expect(idsOf(await ask('GET', pathOf(2)))).toEqual([7, 3, 2])
  expect(idsOf(await ask('GET', pathOf(1)))).toEqual([5, 4, 1, 3, 8, 2])

  await ask('PATCH', pathOf(1, 2), { body: { scope: 'project' } })
  expect(idsOf(await ask('GET', pathOf(2)))).toEqual([7, 3])
  expect(await ask('GET', pathOf(2, 2))).toEqual(notFound())
})

test('a user cannot access a project of another organization', async () => {
  const refusal = forbidden("You don't have access to the project.")

  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ world, profile })
    expect.soft(await ask('GET', pathOf(3))).toEqual(refusal)
    expect.soft(await ask('POST', pathOf(3), { body: {} })).toEqual(refusal)
    expect.soft(await ask('GET', pathOf(3, 22))).toEqual(refusal)
    expect.soft(await ask('PATCH', pathOf(3, 22), { body: {} })).toEqual(refusal)
    expect.soft(await ask('DELETE', pathOf(3, 22))).toEqual(refusal)
    expect.soft(await ask('GET', pathOf(3), { key: 'phx_old' })).toEqual(refusal)
  }
})

test('an unknown id and an id that is not an integer respond with 404', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ profile })
    for (const id of [
      '999',
      '0',
      '-1',
      'abc',
      '1e3',
      '0x1',
      '1,2',
      '%00',
      '99999999999999999999',
    ]) {
      expect.soft(await ask('GET', pathOf(1, id)), id).toEqual(notFound())
      expect.soft(await ask('PATCH', pathOf(1, id), { body: {} }), id).toEqual(notFound())
    }
  }
})

test('annotations are sorted by date_marker, newest first, to the microsecond, and those without one come first', async () => {
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
  for (const date_marker of markers) simulator.world.annotations.add({ date_marker })

  const expected = [2, 6, 8, 9, 10, 3, 1, 5, 7, 4]
  expect(idsOf(await ask('GET', annotationsPath))).toEqual(expected)
  for (const [offset, id] of expected.entries()) {
    expect
      .soft(idsOf(await ask('GET', `${annotationsPath}?limit=1&offset=${offset}`)), `${offset}`)
      .toEqual([id])
  }
})

test('date_markers are compared as moments, whatever their notation', async () => {
  const { ask } = await start({ world: 'empty' })
  for (const date_marker of [
    '2024-06-01T10:00:00+02:00',
    '2024-06-01T08:30:00Z',
    '2024-06-01T04:15:00-04:00',
  ]) {
    await ask('POST', annotationsPath, { body: { date_marker } })
  }

  expect(idsOf(await ask('GET', annotationsPath))).toEqual([2, 3, 1])
})

test('annotations with equal or missing date_markers are sorted by id, newest first', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const date_marker = '2024-06-01T00:00:00Z'
  for (const scope of ['project', 'organization', 'dashboard_item', 'organization'] as const) {
    simulator.world.annotations.add({ date_marker, scope })
    simulator.world.annotations.add({ date_marker: null, scope })
  }

  expect(idsOf(await ask('GET', annotationsPath))).toEqual([8, 6, 4, 2, 7, 5, 3, 1])
  expect(idsOf(await ask('GET', `${annotationsPath}?limit=3&offset=3`))).toEqual([2, 7, 5])
})
