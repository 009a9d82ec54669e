// A client meets a broken connection of a simulator that intercepts it as it does over HTTP: the same error, the same
// code, the same retries.
import { test as simulated } from 'understudy-api/vitest'
import { beforeAll, expect, test } from 'vitest'
import { clientsOf } from './clients.mjs'
import { behaviourOf, faults, ways } from './ways.mjs'

const [patient, impatient] = [clientsOf(10_000), clientsOf(400)]
const cells = Object.keys(patient)
  .flatMap((client) => Object.keys(faults).map((fault) => [client, fault]))
  // It waits for the end of a body that broke off, also over HTTP.
  .filter((cell) => `${cell}` !== 'needle,cut body')
const meet = ([client, fault], ...where) =>
  behaviourOf((fault === 'hold' ? impatient : patient)[client], fault, ...where)

const overHttp = {}
beforeAll(async () => {
  for (const cell of cells) overHttp[cell] = await ways.HTTP((...where) => meet(cell, ...where))
}, 60_000)

for (const way of ['setupServer', 'withSimulator']) {
  test.each(cells)(`${way}: %s, %s`, async (...cell) => {
    const met = await ways[way]((...where) => meet(cell, ...where))
    expect(met).toEqual(overHttp[cell])
  })
}

simulated.for(cells)('understudy-api/vitest: %s, %s', async (cell, { simulator }) => {
  expect(await meet(cell, simulator)).toEqual(overHttp[cell])
})
