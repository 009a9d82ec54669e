// understudy-api/vitest: a simulator for each test, also where tests run at once.
import { test } from 'understudy-api/vitest'
import { describe, expect } from 'vitest'

const annotations = 'https://app.example.com/api/projects/1/annotations/'
const countFor = async (caller) => (await (await fetch(annotations, caller)).json()).count

test.concurrent.for([0, 1, 2, 3])(
  'at the same time: %i',
  async (extra, { simulator, as, expect }) => {
    const row = { content: 'More', scope: 'project' }
    for (let made = 0; made < extra; made++) simulator.world.annotations.create(row)
    expect(await countFor(as('all'))).toBe(6 + extra)
    expect(simulator).toHaveReceived({ operation: 'listAnnotations', key: 'all', count: 1 })
  },
)

describe('a suite', () => {
  test.override({ simulatorOptions: { world: 'empty' } })

  test('begins otherwise', async ({ as }) => expect(await countFor(as('all'))).toBe(0))
})
