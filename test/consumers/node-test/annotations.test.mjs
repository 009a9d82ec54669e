// understudy-api/node in the test runner of Node.
import assert from 'node:assert'
import { describe, test } from 'node:test'
import { withSimulator } from 'understudy-api/node'

const annotations = 'https://app.example.com/api/projects/1/annotations/'
const countFor = async (caller) => (await (await fetch(annotations, caller)).json()).count

describe('at the same time', { concurrency: true }, () => {
  for (const extra of [0, 1, 2, 3]) {
    test(`each has its own: ${extra}`, () =>
      withSimulator(async ({ simulator, as }) => {
        const row = { content: 'More', scope: 'project' }
        for (let made = 0; made < extra; made++) simulator.world.annotations.add(row)
        assert.equal(await countFor(as('all')), 6 + extra)
        assert.equal(await withSimulator({ world: 'empty' }, () => countFor(as('all'))), 0)
      }))
  }
})

test('other requests fail', () =>
  withSimulator(async () => {
    await assert.rejects(fetch('https://app.example.com/api/users'))
  }))

test('what fails leaves nothing behind', async () => {
  const before = globalThis.fetch
  await assert.rejects(
    withSimulator(() => assert.fail('Mine')),
    /Mine/,
  )
  assert.equal(globalThis.fetch, before)
})
