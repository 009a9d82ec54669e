import assert from 'node:assert'
import test from 'node:test'
import { withSimulator } from 'understudy-api/node'

test('an empty world has no annotations', () =>
  withSimulator({ world: 'empty' }, async ({ simulator, as }) => {
    const url = 'https://app.example.com/api/projects/1/annotations/'
    const page = await (await fetch(url, { headers: as('all').headers })).json()
    assert.equal(page.count, 0)
    assert.ok(simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).passed)
  }))
