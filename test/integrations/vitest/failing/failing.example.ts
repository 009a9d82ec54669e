// Tests that fail. failed-tests.test.ts runs them in a process, and compares what is printed.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, vi } from 'vitest'
import { test } from '../../../../src/vitest.ts'

const annotations = 'https://app.example.com/api/projects/1/annotations/'

/** A client that collects the requests of two tests, and sends them from one timer. */
const queue: (() => void)[] = []
function createInBatch(headers: HeadersInit): Promise<Response> {
  return new Promise((resolve) => {
    queue.push(() => resolve(fetch(annotations, { method: 'POST', headers })))
    if (queue.length > 1) return
    const timer = setInterval(() => {
      if (queue.length < 2) return
      clearInterval(timer)
      for (const send of queue.splice(0)) send()
    }, 10)
  })
}

test('a write with a key that can only read', async ({ as }) => {
  await fetch(`${annotations}?limit=1`, as('all'))
  const response = await fetch(annotations, { method: 'POST', ...as('annotation:read') })
  expect(response.status).toBe(201)
})

test('asks for a key that the world does not have', ({ as }) => void as('nobody'))

test('passes', async ({ as }) => {
  expect((await fetch(annotations, as('all'))).status).toBe(200)
})

test.fails('fails as expected', async ({ as }) => {
  expect((await fetch(annotations, as('all'))).status).toBe(500)
})

describe.concurrent('in a batch', () => {
  test('starts the timer', async ({ as, expect }) => {
    expect((await createInBatch(as('all').headers)).status).toBe(201)
  })

  test('comes second', async ({ simulator, as, expect }) => {
    expect((await createInBatch(as('all').headers)).status).toBe(201)
    expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
  })
})

test('a client in another process reaches the server', async ({ simulator, server, as }) => {
  const args = ['-s', `${server.url}/api/projects/`, '-H', `authorization: Bearer ${as('all').key}`]
  const { stdout } = await promisify(execFile)('curl', args)
  expect(JSON.parse(stdout).count).toBe(2)
  expect(simulator).toHaveReceived({ operation: 'listProjects', count: 1 })
})

describe('a hook restores fetch', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('fetch was replaced until then', async () => {
    vi.stubGlobal('fetch', async () => new Response())
    expect((await fetch(annotations)).status).toBe(401)
  })
})
