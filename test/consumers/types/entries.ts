// What pages and tests import needs no types of Node.
import { createSimulator } from 'understudy-api'
import { startInBrowser } from 'understudy-api/browser'
import { factories } from 'understudy-api/factories'
import { test } from 'understudy-api/vitest'

test('has a server', async ({ server, simulator }) => {
  await fetch(`${server.url}/api/projects/`)
  simulator.replaceWorld(createSimulator().world.toJSON())
  simulator.world.annotations.add(factories({ seed: 1 }).annotation({ content: 'Launch' }))
  await startInBrowser({ world: 'empty' })
})
