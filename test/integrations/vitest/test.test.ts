import { describe, expect } from 'vitest'
import { test } from '../../../src/vitest.ts'

const projects = 'https://app.example.com/api/projects/'
const annotations = `${projects}1/annotations/`

async function count(headers: HeadersInit): Promise<number> {
  const page = await (await fetch(annotations, { headers })).json()
  return page.count
}

test('a simulator answers the requests of a test', async ({ simulator, as }) => {
  simulator.world.annotations.add({ content: 'Launch', scope: 'project' })

  expect(await count(as('all').headers)).toBe(7)
  expect(simulator).toHaveReceived({ operation: 'listAnnotations', key: 'all', count: 1 })
  expect(simulator.name).toMatch(/a simulator answers the requests of a test$/)
})

test('the next test has a new simulator', async ({ as }) => {
  expect(await count(as('all').headers)).toBe(6)
})

test('a test that does not use the fixture is intercepted, too', async () => {
  expect((await fetch(projects)).status).toBe(401)
})

test.concurrent.for(Array.from({ length: 20 }, (_, extra) => extra))(
  'concurrent tests have their own simulators: %i',
  async (extra, { simulator, as, expect }) => {
    for (let count = 0; count < extra; count++) {
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

test.each([1, 2])('test.each is intercepted: %i', async () => {
  expect((await fetch(projects)).status).toBe(401)
})

describe('a suite with other options', () => {
  test.override({ simulatorOptions: { world: 'empty' } })
  test.beforeEach(async ({ as }) => {
    expect(await count(as('all').headers)).toBe(0)
  })

  test('applies them to its tests and hooks', async ({ simulator, as }) => {
    expect(await count(as('all').headers)).toBe(0)
    expect(simulator.journal.find()).toHaveLength(2)
  })

  describe('with a nested suite', () => {
    test('applies them there, too', async ({ simulator, as }) => {
      simulator.world.annotations.add({ content: 'Launch', scope: 'project' })
      expect(await count(as('all').headers)).toBe(1)
    })
  })
})

const live = test.extend('simulatorOptions', { profile: 'live' }).extend('client', ({ as }) => ({
  remove: () => fetch(`${annotations}1/`, { method: 'DELETE', headers: as('all').headers }),
}))

live('other fixtures can use the simulator', async ({ client }) => {
  expect(await (await client.remove()).text()).toBe('')
})
