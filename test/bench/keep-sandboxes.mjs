// Prints how much memory sandboxes of a world of 100,000 annotations need: `node --expose-gc FILE writes` for 1,000, each
// with ten creates and changes at places all over the world, or `pages` for 10,000, each of which reads another page and
// changes a row.
import { createSimulator } from '../../dist/index.js'
import { createDirectClient } from './direct-requests.mjs'
import { settled } from './memory.mjs'
import { worldOf } from './worlds.mjs'

const rows = 100_000
const list = '/api/projects/1/annotations/'
const placeOf = (index) => (index * 7919 * 31) % (rows - 100)

const loads = {
  writes: { count: 1_000, run: write },
  pages: { count: 10_000, run: readPages },
}

const { count, run } = loads[process.argv[2]]
const simulator = createSimulator({ world: worldOf(rows) })
const ask = createDirectClient(simulator)
ask('GET', list)
ask('GET', list, { query: 'search=checkout' })

const before = await settled()
const keys = Array.from({ length: count }, () => simulator.sandboxes.create().keys[0].value)
const idle = await settled()
run()
const used = await settled()
for (const { id } of simulator.sandboxes.list()) simulator.sandboxes.delete(id)
const ended = await settled()

const above = ({ resident, heap }) => ({
  resident: (resident - before.resident) / 1024 ** 2,
  heap: (heap - before.heap) / 1024 ** 2,
})
console.log(JSON.stringify({ count, idle: above(idle), used: above(used), ended: above(ended) }))

function write() {
  for (let index = 0; index < count * 10; index++) {
    const key = keys[index % count]
    const place = placeOf(index)
    if (index % (count * 2) < count) change(key, place, index)
    else {
      const date_marker = new Date(1_500_000_000_000 + place * 60_000).toISOString()
      ask('POST', list, { key, body: { content: `Created ${index}`, date_marker } })
    }
  }
}

function readPages() {
  for (const [index, key] of keys.entries()) {
    const place = placeOf(index)
    ask('GET', list, { key, query: `limit=100&offset=${place}` })
    change(key, place, index)
  }
}

function change(key, place, index) {
  ask('PATCH', `${list}${place + 1}/`, { key, body: { content: `Changed ${index}` } })
}
