// Tests whose clients make mistakes. run.slow.test.ts runs them in a process, and compares what is printed.
import { afterEach, describe, expect } from 'vitest'
import type { As } from '../../../../src/integrations/testing/fixtures.ts'
import type { Simulator } from '../../../../src/simulator/simulator.ts'
import { test } from '../../../../src/vitest.ts'

const annotations = 'https://app.example.com/api/projects/1/annotations/'

/** Creates an annotation again when its response is lost. */
async function createTwice(simulator: Simulator, as: As, content: string): Promise<void> {
  simulator.faults.add({ preset: 'lost-create' })
  const headers = { ...as('all').headers, 'content-type': 'application/json' }
  const create = () =>
    fetch(annotations, { method: 'POST', headers, body: JSON.stringify({ content }) })
  expect((await create().catch(create)).status).toBe(201)
}

const erase = (as: As, id: number) =>
  fetch(`${annotations}${id}/`, { method: 'DELETE', headers: as('all').headers })

test('saves a note', ({ simulator, as }) => createTwice(simulator, as, 'Launch'))

test('saves another note', ({ simulator, as }) => createTwice(simulator, as, 'Lunch'))

test('reads the first page', async ({ simulator, as }) => {
  simulator.world.add({ annotations: Array.from({ length: 1_200 }, () => ({ scope: 'project' })) })
  await fetch(annotations, as('all'))
})

describe('a mistake on purpose', () => {
  test.override({ simulatorOptions: { mistakes: 'off' } })

  test('erases a note', async ({ as }) => {
    expect((await erase(as, 1)).status).toBe(405)
  })
})

describe('strict', () => {
  test.override({ simulatorOptions: { mistakes: 'fail' } })
  const order: string[] = []
  afterEach(() => void order.push('hook'))

  test('erases a note', async ({ as }) => {
    await fetch(annotations, as('all'))
    await erase(as, 1)
  })

  test('finds that the hook of a test that failed has run', () => {
    expect(order).toEqual(['hook'])
  })
})

describe('strict, with a hook that corrects', () => {
  test.override({ simulatorOptions: { mistakes: 'fail' } })
  afterEach<{ as: As }>(async ({ as }) => {
    await as('all').fetch('/api/projects/1/annotations/1/', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"deleted":true}',
    })
  })

  test('erases a note', async ({ as }) => {
    await erase(as, 1)
  })
})
