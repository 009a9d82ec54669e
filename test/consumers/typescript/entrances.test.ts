// What server.ts and application.ts do, and the types of the other entrances.
import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type Annotation, createSimulator, type Page, type WorldJson } from 'understudy-api'
import type { BrowserOptions } from 'understudy-api/browser'
import { generate } from 'understudy-api/factories'
import { fixtureNames, readWorld } from 'understudy-api/node'
import type { SimulatorFixtures } from 'understudy-api/playwright'
import { app } from './application.js'
import { server as withOwnRoutes } from './in-front.js'

test('the server prints where it is', () => {
  const printed = execFileSync(process.execPath, ['dist/server.js'], { encoding: 'utf8' })

  assert.match(printed, /^http:\/\/127\.0\.0\.1:\d+\n$/)
})

test('the application answers below its path', async () => {
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  const answer = await fetch(`http://127.0.0.1:${port}/mock/api/projects/1/annotations/`, {
    headers: { authorization: 'Bearer phx_all' },
  })
  const page = (await answer.json()) as Page<Annotation>
  server.close()
  server.closeAllConnections()

  assert.equal(page.count, 6)
})

test('a server runs middleware and handlers before those of the simulator', async () => {
  const read = async (path: string) => (await fetch(withOwnRoutes.url + path)).json()
  const bodies = [await read('/own'), await read('/api/users/@me/')]
  await withOwnRoutes.close()

  assert.deepEqual(bodies, [{ hello: 'world' }, { id: 1 }])
})

test('a world that is read, one that is generated, and options of each kind', async () => {
  const odd: WorldJson = await readWorld('odd')
  const made: WorldJson = generate({ seed: 7, generate: { annotations: 20 } })
  const inBrowser: BrowserOptions = { world: made, persist: 'none' }
  const inTest: SimulatorFixtures['simulatorOptions'] = { world: odd, profile: 'live' }

  assert.deepEqual(fixtureNames, ['default', 'empty', 'odd', 'crowded'])
  assert.ok(createSimulator(inTest).world.annotations.count > 10)
  assert.equal(createSimulator({ world: inBrowser.world as WorldJson }).world.annotations.count, 20)
})
