import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import type { Reply } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'

const at = (project: number, id: number | string = '') =>
  `/api/projects/${project}/annotations/${id === '' ? '' : `${id}/`}`
const ids = ({ body }: Reply) => (body as { results: { id: number }[] }).results.map(({ id }) => id)

test('a project sees its own annotations and those that are organization-wide in its organization [§4:visibility]', async () => {
  const { ask } = await start({ world })
  const key = 'phx_noor'

  expect(ids(await ask('GET', at(1), { key }))).toEqual([5, 4, 1, 3, 8, 2])
  expect(ids(await ask('GET', at(2), { key }))).toEqual([7, 3])
  expect(ids(await ask('GET', at(3), { key }))).toEqual([22, 21])
})

test('what is listed can be retrieved there, and nothing else [§4:visibility] [§4.3:retrieve]', async () => {
  const { ask } = await start({ world })
  const seen = { 1: [1, 2, 3, 4, 5, 8], 2: [3, 7], 3: [21, 22] } as const
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 21, 22]

  for (const project of [1, 2, 3] as const) {
    const listed: readonly number[] = seen[project]
    for (const id of all) {
      const answer = await ask('GET', at(project, id), { key: 'phx_noor' })
      if (listed.includes(id)) expect(answer).toMatchObject({ status: 200, body: { id } })
      else expect(answer).toEqual(notFound())
    }
  }
})

test('what a project does not see it cannot change either [§4:visibility] [§1:object-missing]', async () => {
  const { ask, simulator } = await start({ world })
  const before = simulator.world.annotations.list()

  for (const [project, id] of [
    [1, 7],
    [2, 1],
    [1, 22],
    [3, 3],
    [1, 999],
  ] as const) {
    const body = { content: 'Mine now' }
    expect(await ask('PATCH', at(project, id), { key: 'phx_noor', body })).toEqual(notFound())
  }

  expect(simulator.world.annotations.list()).toEqual(before)
})

test('an annotation becomes visible elsewhere, and stops being so, with its scope [§4:visibility] [§4:scope]', async () => {
  const { ask } = await start({ world })

  await ask('PATCH', at(1, 2), { body: { scope: 'organization' } })
  expect(ids(await ask('GET', at(2)))).toEqual([7, 3, 2])
  expect(ids(await ask('GET', at(1)))).toEqual([5, 4, 1, 3, 8, 2])

  await ask('PATCH', at(1, 2), { body: { scope: 'project' } })
  expect(ids(await ask('GET', at(2)))).toEqual([7, 3])
  expect(await ask('GET', at(2, 2))).toEqual(notFound())
})

test('a page and its count take own and organization-wide annotations together [§4:visibility] [§3:body]', async () => {
  const { ask } = await start({ world })

  const page = await ask('GET', `${at(1)}?limit=2&offset=2`)

  expect(page).toMatchObject({ status: 200, body: { count: 6 } })
  expect(ids(page)).toEqual([1, 3])
})

test('a project of an organization the user is not in stays closed [§1:foreign-project]', async () => {
  const refused = forbidden("You don't have access to the project.")

  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ world, profile })
    expect(await ask('GET', at(3))).toEqual(refused)
    expect(await ask('POST', at(3), { body: {} })).toEqual(refused)
    expect(await ask('GET', at(3, 22))).toEqual(refused)
    expect(await ask('PATCH', at(3, 22), { body: {} })).toEqual(refused)
    expect(await ask('DELETE', at(3, 22))).toEqual(refused)
    expect(await ask('GET', at(3), { key: 'phx_old' })).toEqual(refused)
  }
})

test('an id that names no annotation, or is no integer, is not found [§4.3:retrieve] [§1:object-missing]', async () => {
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
      expect(await ask('GET', at(1, id)), id).toEqual(notFound())
      expect(await ask('PATCH', at(1, id), { body: {} }), id).toEqual(notFound())
    }
  }
})

test('an id with a dot matches no path [§4.3:retrieve] [§1:unknown-path]', async () => {
  const { ask } = await start()

  for (const id of ['1.5', '1.0', '1.json', '.1']) {
    expect(await ask('GET', at(1, id)), id).toEqual(notFound('Endpoint not found.'))
  }
})

const list = '/api/projects/1/annotations/'

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
