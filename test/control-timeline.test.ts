import { expect } from 'vitest'
import { overHttp, start } from './support/start.ts'

const json = { key: null }

overHttp.each([
  {
    unit: 'hour',
    markers: ['2024-06-01T10:59:00Z', '2024-06-01T10:01:00Z', '2024-06-01T11:00:00Z'],
    at: ['2024-06-01T10:00:00.000Z', '2024-06-01T11:00:00.000Z'],
  },
  {
    unit: 'day',
    markers: ['2024-06-01T10:00:00Z', '2024-06-01T23:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['2024-06-01T00:00:00.000Z', '2024-06-20T00:00:00.000Z'],
  },
  {
    unit: 'week',
    markers: ['2024-01-01T00:00:00Z', '2024-01-07T23:00:00Z', '2024-12-31T00:00:00Z'],
    at: ['2024-01-01T00:00:00.000Z', '2024-12-30T00:00:00.000Z'],
  },
  {
    unit: 'month',
    markers: ['2020-02-01T00:00:00Z', '2020-02-29T00:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['2020-02-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
  },
  {
    unit: 'year',
    markers: ['0099-02-01T00:00:00Z', '0099-03-01T00:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['0099-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
  },
])('annotations are counted by the $unit (over HTTP only)', async ({ unit, markers, at }) => {
  const { ask, simulator } = await start({ world: 'empty' })
  const [one, two, three] = markers.map((date_marker) => ({ date_marker }))
  simulator.addRows({
    annotations: [
      { ...one, scope: 'project' },
      { ...two, scope: 'organization' },
      { ...three, scope: 'project' },
      { content: 'undated' },
    ],
  })

  const { body } = await ask('GET', '/__admin/timeline', json)

  expect(body).toEqual({
    unit,
    steps: [
      { at: at[0], counts: { project: 1, organization: 1 } },
      { at: at[1], counts: { project: 1 } },
    ],
    undated: 1,
  })
})

overHttp('a scope may be called as anything, and is counted (over HTTP only)', async () => {
  const policies = { 'annotations.scope.values': 'any' } as const
  const { ask } = await start({ world: 'empty', policies })
  const date_marker = '2024-06-01T10:00:00Z'
  for (const scope of ['constructor', '__proto__', '__proto__'])
    await ask('POST', '/api/projects/1/annotations/', { body: { date_marker, scope } })

  const { body } = await ask('GET', '/__admin/timeline', json)

  expect(JSON.stringify((body as { steps: object[] }).steps)).toBe(
    '[{"at":"2024-06-01T10:00:00.000Z","counts":{"__proto__":2,"constructor":1}}]',
  )
})
