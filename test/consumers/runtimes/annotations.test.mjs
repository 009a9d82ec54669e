// Bun and Deno, whose test runners know node:test.
import assert from 'node:assert'
import test from 'node:test'
import { withSimulator } from 'understudy-api/node'

const path = '/api/projects/1/annotations/'

test('a simulator answers in the same process', () =>
  withSimulator(async ({ simulator, as }) => {
    const url = `https://app.example.com${path}`
    const page = await (await fetch(url, { headers: as('all').headers })).json()
    assert.equal(page.count, 6)
    assert.ok(simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).passed)
    simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true } })
    await assert.rejects(fetch(url, { headers: as('all').headers }), { name: 'TypeError' })
  }))

test('the server of exec answers', async () => {
  const { UNDERSTUDY_URL, UNDERSTUDY_KEY } = process.env
  const headers = { authorization: `Bearer ${UNDERSTUDY_KEY}` }
  const page = await (await fetch(`${UNDERSTUDY_URL}${path}`, { headers })).json()
  assert.equal(page.count, 6)
})
