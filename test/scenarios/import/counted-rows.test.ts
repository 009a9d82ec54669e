import { expect, test } from 'vitest'
import { bare, plugins } from '../../support/api/plugins.ts'
import {
  annotationsPath,
  createPage,
  createRow,
  createTraffic,
} from '../../support/scenarios/traffic.ts'
import { derive, scenarioFromTraffic } from './derive.ts'

const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }

test('rows that a list counted and no response showed are made up, outside of what was seen', async () => {
  const link = (offset: number) =>
    `https://api.example.com${annotationsPath}?limit=2&offset=${offset}`
  const { world, warnings } = await derive(
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
  expect(warnings).toEqual([
    'The list of project 1 counted 53 rows that no response shows. The world has 53 of them, with content that is made up.',
  ])
})

test('a search that shows rows which do not contain its words leads to no rows', async () => {
  const found = createRow(1, 'Release A')
  const { scenario, warnings } = await scenarioFromTraffic(
    createTraffic(
      { url: `${annotationsPath}?search=releases`, received: createPage(found) },
      { received: createPage(createRow(2, 'Other'), found) },
    ),
  )

  expect(scenario.world).toMatchObject({ annotations: [{ id: 1 }, { id: 2 }] })
  expect(warnings).toEqual([])
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

test('a list has at most 1000 rows that are made up', async () => {
  const { warnings } = await scenarioFromTraffic(
    createTraffic(
      {
        url: `${annotationsPath}?limit=1&search=nine`,
        received: { ...createPage(createRow(9, 'Nine')), count: 2_000, next: 'https://x' },
      },
      {
        url: `${annotationsPath}?limit=1`,
        received: { ...createPage(createRow(9, 'Nine')), count: 5_000_000, next: 'https://x' },
      },
    ),
  )

  expect(warnings).toEqual([
    'The list of project 1 counted 4999999 rows that no response shows. The world has 1000 of them, with content that is made up.',
  ])
})

test('rows that only a search counted have its words', async () => {
  const { world } = await derive({
    url: `${annotationsPath}?limit=1&search=nine`,
    received: {
      ...createPage(createRow(9, 'Nine')),
      ...{
        count: 2,
        next: `https://api.example.com${annotationsPath}?limit=1&offset=1&search=nine`,
      },
    },
  })

  expect(world.annotations?.map(({ content }) => content)).toEqual(['nine', 'Nine'])
})

test('a plugin that somebody installed between two pages has a name', async () => {
  const link = (offset: number) => `https://api.example.com${plugins}?limit=1&offset=${offset}`
  const page = (id: number) => createPage({ ...bare, id, name: `Plugin ${id}` })
  const { scenario } = await derive(
    { url: `${plugins}?limit=1`, received: { ...page(21), count: 2, next: link(1) } },
    {
      url: `${plugins}?limit=1&offset=1`,
      received: {
        ...page(22),
        count: 3,
        next: link(2),
        previous: link(0).replace('&offset=0', ''),
      },
    },
  )

  const plugin = { id: 23, name: 'Not shown in the traffic' }
  expect(scenario.steps[1]).toEqual({ rows: { plugins: [plugin] } })
})
