// The server of the soak test, in a process of its own. Its parent asks for its memory and handles.
import { readdirSync } from 'node:fs'
import { createSimulator } from '../../dist/index.js'
import { listen } from '../../dist/node.js'

const errors = []
const onError = (error) => void errors.push(String(error?.stack ?? error))
// A small journal is full before the first measurement.
const simulator = createSimulator({ onError, journal: { entries: 100 } })
const server = await listen(simulator, { onError })
process.send({ url: server.url, key: simulator.defaults.key })

process.on('message', () => {
  // A client that vanishes can create a row: a request that is cut off can still be complete.
  simulator.reset()
  for (let round = 0; round < 4; round++) globalThis.gc()
  process.send({
    heap: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().length,
    files: readdirSync('/proc/self/fd').length,
    errors: errors.splice(0),
  })
})
process.on('disconnect', () => process.exit())
