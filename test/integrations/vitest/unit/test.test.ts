import { describe, expect } from 'vitest'
import { test } from '../../../../src/vitest.ts'

const projects = 'https://app.example.com/api/projects/'
const annotations = `${projects}1/annotations/`

async function count(headers: HeadersInit): Promise<number> {
  const page = await (await fetch(annotations, { headers })).json()
  return page.count
}

test('a simulator answers what is asked', async ({ simulator, as }) => {
  simulator.world.annotations.create({ content: 'Launch', scope: 'project' })

  expect(await count(as('all').headers)).toBe(7)
  expect(simulator).toHaveReceived({ operation: 'listAnnotations', key: 'all', count: 1 })
})

test('the next one has a new one', async ({ as }) => {
  expect(await count(as('all').headers)).toBe(6)
})

test('also without naming it', async () => {
  expect((await fetch(projects)).status).toBe(401)
})

test.concurrent.for(Array.from({ length: 20 }, (_, extra) => extra))(
  'at the same time each has its own: %i',
  async (extra, { simulator, as, expect }) => {
    for (let made = 0; made < extra; made++) {
      await as('all').fetch(annotations, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"content":"More"}',
      })
    }

    expect(await count(as('all').headers)).toBe(6 + extra)
    expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: extra })
  },
)

test.each([1, 2])('each: %i', async () => {
  expect((await fetch(projects)).status).toBe(401)
})

describe('a suite', () => {
  test.override({ simulatorOptions: { world: 'empty' } })
  test.beforeEach(async ({ as }) => {
    expect(await count(as('all').headers)).toBe(0)
  })

  test('begins otherwise, its hooks too', async ({ simulator, as }) => {
    expect(await count(as('all').headers)).toBe(0)
    expect(simulator.journal.find()).toHaveLength(2)
  })

  describe('within another', () => {
    test('begins as that', async ({ simulator, as }) => {
      simulator.world.annotations.create({ content: 'Launch', scope: 'project' })
      expect(await count(as('all').headers)).toBe(1)
    })
  })
})

const live = test.extend('simulatorOptions', { profile: 'live' }).extend('client', ({ as }) => ({
  remove: () => fetch(`${annotations}1/`, { method: 'DELETE', headers: as('all').headers }),
}))

live('fixtures of others build on it', async ({ client }) => {
  expect(await (await client.remove()).text()).toBe('')
})
