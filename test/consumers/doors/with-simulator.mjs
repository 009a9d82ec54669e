// The same with withSimulator in the test runner of Node.
import assert from 'node:assert'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { withSimulator } from 'understudy-api/node'
import { clients } from './clients.mjs'
import { reached } from './network.mjs'

const path = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }

after(async () => {
  await pause(50)
  assert.deepEqual(reached, [])
})

for (const [name, read] of Object.entries(clients)) {
  const countFor = async () => JSON.parse(await read(path, { headers })).count

  for (const ms of [0, 5, 0, 5]) {
    test(`${name}: one request, and a pause of ${ms} ms`, () =>
      withSimulator(async ({ simulator }) => {
        assert.equal(await countFor(), 6)
        await pause(ms)
        assert.equal(simulator.journal.find().length, 1)
      }))
  }

  test(`${name}: a function that does not wait for its requests`, () =>
    withSimulator(({ simulator }) => {
      simulator.faults.add({ operation: 'listAnnotations', effect: { hold: true } })
      countFor().catch(() => {})
      pause(5)
        .then(countFor)
        .catch(() => {})
    }))

  describe(`${name}: at the same time`, { concurrency: true }, () => {
    for (const extra of [0, 1, 2]) {
      test(`each has its rows: ${extra}`, () =>
        withSimulator(async ({ simulator }) => {
          for (let made = 0; made < extra; made++) simulator.world.annotations.add({ content: 'A' })
          assert.equal(await countFor(), 6 + extra)
          assert.equal(await withSimulator({ world: 'empty' }, countFor), 0)
        }))
    }
  })
}
