// Prints how much memory 10,000 sandboxes of a world of 100,000 annotations need, each of which reads another page and
// changes a row, and how much stays after they ended: `node --expose-gc FILE`.
import { createSimulator } from '../../dist/index.js'
import { createDirectClient } from './direct-requests.mjs'
import { inMiB, settled } from './memory.mjs'
import { worldOf } from './worlds.mjs'

const rows = 100_000
const count = 10_000
const list = '/api/projects/1/annotations/'

const simulator = createSimulator({ world: worldOf(rows) })
const ask = createDirectClient(simulator)
ask('GET', list)
ask('GET', list, { query: 'search=checkout' })

const before = await settled()
for (let index = 0; index < count; index++) {
  const { keys } = simulator.sandboxes.create()
  const [{ value: key }] = keys
  const place = (index * 7919) % (rows - 100)
  // As a server sends it.
  ask('GET', list, { key, query: `limit=100&offset=${place}` }).body.chunks()
  ask('PATCH', `${list}${place + 1}/`, { key, body: { content: `Changed ${index}` } })
}
const after = await settled()
for (const { id } of simulator.sandboxes.list()) simulator.sandboxes.delete(id)
const ended = await settled()

console.error(`  before ${inMiB(before)}, after ${inMiB(after)}, ended ${inMiB(ended)}`)
const toMiB = (bytes) => bytes / 1024 ** 2
console.log(
  JSON.stringify({
    resident: toMiB(after.resident - before.resident),
    left: toMiB(ended.resident - before.resident),
  }),
)
