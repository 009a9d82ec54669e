// Prints how much memory a simulator needs after each tenth of so many requests: `node --expose-gc FILE 1000000`.
// They read, list, search, change, are refused, and come to sandboxes that begin and end.
import { createSimulator } from '../../dist/index.js'
import { createDirectClient } from './direct-requests.mjs'
import { settled } from './memory.mjs'
import { worldOf } from './worlds.mjs'

const rows = 10_000
const requests = Number(process.argv[2])
const list = '/api/projects/1/annotations/'

const simulator = createSimulator({ world: worldOf(rows) })
const ask = createDirectClient(simulator)
const place = (index) => ((index * 7919) % rows) + 1
const kinds = [
  (index, key) => ask('GET', `${list}${place(index)}/`, { key }),
  (index, key) => ask('GET', list, { key, query: `limit=10&offset=${place(index) % 9_000}` }),
  (index, key) =>
    ask('PATCH', `${list}${place(index)}/`, { key, body: { content: `Changed ${index}` } }),
  (_, key) => ask('GET', `${list}${rows + 1}/`, { key, isRefused: true }),
  (index, key) =>
    ask('PATCH', `${list}${place(index)}/`, { key, body: { deleted: index % 2 === 0 } }),
]

const samples = []
let sandbox = simulator.sandboxes.create()
for (let index = 0; index < requests; index++) {
  const key = index % 10 < 5 ? 'phx_all' : sandbox.keys[0].value
  kinds[index % kinds.length](index, key)
  if (index % 1_000 === 999) {
    simulator.sandboxes.delete(sandbox.id)
    sandbox = simulator.sandboxes.create()
  }
  if ((index + 1) % (requests / 10) === 0) samples.push(await settled())
}
console.log(JSON.stringify(samples))
