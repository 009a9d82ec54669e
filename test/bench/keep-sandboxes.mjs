// Prints how much memory 1,000 sandboxes of a world of 100,000 annotations need: `node --expose-gc FILE`.
// Creates and changes in turn, at places all over the world, by ten requests to each.
import { createSimulator } from '../../dist/index.js'
import { createDirectClient } from './direct-requests.mjs'
import { inMiB, settled } from './memory.mjs'
import { worldOf } from './worlds.mjs'

const rows = 100_000
const count = 1_000
const writes = 10
const list = '/api/projects/1/annotations/'

const simulator = createSimulator({ world: worldOf(rows) })
const ask = createDirectClient(simulator)
ask('GET', list)
ask('GET', list, { query: 'search=checkout' })

const before = await settled()
const keys = Array.from({ length: count }, () => simulator.sandboxes.create().keys[0].value)
const idle = await settled()

for (let index = 0; index < count * writes; index++) {
  const key = keys[index % count]
  const place = (index * 7919 * 31) % rows
  if (index % (count * 2) < count) {
    ask('PATCH', `${list}${place + 1}/`, { key, body: { content: `Changed ${index}` } })
  } else {
    const date_marker = new Date(1_500_000_000_000 + place * 60_000).toISOString()
    ask('POST', list, { key, body: { content: `Created ${index}`, date_marker } })
  }
}
const after = await settled()

console.error(`  before ${inMiB(before)}, idle ${inMiB(idle)}, after ${inMiB(after)}`)
console.log(
  JSON.stringify({
    idleResident: (idle.resident - before.resident) / count / 1024,
    idleHeap: (idle.heap - before.heap) / count / 1024,
    resident: (after.resident - before.resident) / 1024 ** 2,
    heap: (after.heap - before.heap) / 1024 ** 2,
  }),
)
// They live until here.
if (simulator.sandboxes.count !== count) throw new Error('Failed to keep the sandboxes.')
