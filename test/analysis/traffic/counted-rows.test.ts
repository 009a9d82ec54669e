import { expect, test } from 'vitest'
import { scenarioFromTraffic } from '../../../src/analysis/traffic/from-traffic.ts'
import {
  annotationsPath,
  createPage,
  createRow,
  createTraffic,
} from '../../support/scenarios/traffic.ts'
import { derive } from './derive.ts'

const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }

test('rows that a list counted and no response showed are made up, outside of what was seen', async () => {
  const link = (offset: number) =>
    `https://api.example.com${annotationsPath}?limit=2&offset=${offset}`
  const { world, assumptions } = await derive(
    {
      url: `${annotationsPath}?limit=2`,
      received: {
        ...createPage(createRow(9, 'Nine'), createRow(8, 'Release')),
        count: 57,
        next: link(2),
      },
    },
    {
      url: `${annotationsPath}?limit=2&offset=54`,
      received: {
        ...createPage(createRow(3, 'Three')),
        count: 57,
        next: link(56),
        previous: link(52),
        results: [createRow(3, 'Three'), createRow(2, 'Two')],
      },
    },
    { url: `${annotationsPath}?search=release`, received: createPage(createRow(8, 'Release')) },
    { url: `${annotationsPath}1/`, status: 404, received: notFound },
  )

  const ids = world.annotations?.map(({ id }) => id) ?? []
  expect([ids.length, ids.includes(1)]).toEqual([57, false])
  expect(assumptions.at(-1)).toMatchObject({
    field: 'annotations',
    because:
      'The list of project 1 counted 53 more rows than the responses show. Their content is made up.',
  })
})

test('a search that shows rows which do not contain its words leads to no rows', async () => {
  const found = createRow(1, 'Release A')
  const { scenario, assumptions } = await scenarioFromTraffic(
    createTraffic(
      { url: `${annotationsPath}?search=releases`, received: createPage(found) },
      { received: createPage(createRow(2, 'Other'), found) },
    ),
  )

  expect(scenario.world).toMatchObject({ annotations: [{ id: 1 }, { id: 2 }] })
  expect(assumptions.filter(({ field }) => field === 'annotations')).toEqual([])
})

test('rows that precede a page of rows without a date get higher ids', async () => {
  const link = (offset: number) =>
    `https://api.example.com${annotationsPath}?limit=2&offset=${offset}`
  const undated = { date_marker: null }
  const { world } = await derive({
    url: `${annotationsPath}?limit=2&offset=10`,
    received: {
      ...createPage(createRow(30, 'Thirty', undated), createRow(20, 'Twenty', undated)),
      count: 14,
      next: link(12),
      previous: link(8),
    },
  })

  const before = world.annotations?.filter((row) => row.date_marker === null && row.id > 30)
  expect([world.annotations?.length, before?.length]).toEqual([14, 10])
})

test('a list with more rows than are made up is named once', async () => {
  const { assumptions } = await scenarioFromTraffic(
    createTraffic({
      url: `${annotationsPath}?limit=1`,
      received: { ...createPage(createRow(9, 'Nine')), count: 5_000_000, next: 'https://x' },
    }),
  )

  expect(assumptions.filter(({ field }) => field === 'annotations')).toMatchObject([
    {
      because:
        'The list of project 1 counted 4999999 more rows than the responses show. 1000 of them are in the world, with content that is made up. The other 4998999 are not, because at most 1000 are made up.',
    },
  ])
})

test('rows that a search and the whole list counted are named once', async () => {
  const { assumptions } = await scenarioFromTraffic(
    createTraffic(
      {
        url: `${annotationsPath}?limit=1&search=nine`,
        received: { ...createPage(createRow(9, 'Nine')), count: 2_000, next: 'https://x' },
      },
      {
        url: `${annotationsPath}?limit=1`,
        received: { ...createPage(createRow(9, 'Nine')), count: 5_000, next: 'https://x' },
      },
    ),
  )

  expect(assumptions.find(({ field }) => field === 'annotations')?.because).toMatch(
    /^The list of project 1 counted 4999 more rows/,
  )
})

test('a row that a search counted is between the rows of the list that leave room for it', async () => {
  const link = (query: string) => `https://api.example.com${annotationsPath}?limit=2&${query}`
  const searchLink = (offset: number) =>
    `https://api.example.com${annotationsPath}?limit=1&offset=${offset}&search=release`
  const searched = (offset: number, row: object) => ({
    url: `${annotationsPath}?limit=1&offset=${offset}&search=release`,
    received: {
      ...createPage(row),
      ...{ count: 3, next: offset === 0 ? searchLink(1) : null },
      previous: offset === 0 ? null : searchLink(offset - 1),
    },
  })
  const { world, assumptions } = await derive(
    {
      url: `${annotationsPath}?limit=2`,
      received: {
        ...createPage(createRow(30, 'Release D'), createRow(29, 'Other')),
        ...{ count: 5, next: link('offset=2') },
      },
    },
    {
      url: `${annotationsPath}?limit=2&offset=3`,
      received: {
        ...createPage(createRow(27, 'Other'), createRow(20, 'Release A')),
        ...{ count: 5, previous: link('offset=1') },
      },
    },
    searched(0, createRow(30, 'Release D')),
    searched(2, createRow(20, 'Release A')),
  )

  expect(world.annotations?.map(({ content }) => content)).toEqual([
    'release',
    'Release A',
    'Other',
    'Other',
    'Release D',
  ])
  const [made] = world.annotations ?? []
  expect(made?.date_marker).toBe('2024-06-01T00:00:28Z')
  expect(assumptions.filter(({ field }) => field === 'annotations')).toEqual([
    {
      field: 'annotations',
      value: [1],
      because:
        'The list of project 1 counted 1 more row than the responses show. Its content is made up.',
    },
  ])
})
