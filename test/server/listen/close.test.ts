import { http } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../src/node.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'

async function start() {
  const simulator = createSimulator()
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const get = (path: string, key = simulator.defaults.key) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
  return { simulator, server, get }
}

test('close answers requests in flight, also those that faults hold or delay, and takes no new one', async () => {
  const { simulator, server, get } = await start()
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create().id) as Simulator
  const worlds = [simulator, sandbox]
  simulator.faults.add({ effect: { hold: true } })
  sandbox.faults.add({ effect: { delay_ms: 60_000 } })
  const inFlight = [get(list), get(list, sandbox.defaults.key)]
  const applied = () => worlds.map(({ faults }) => faults.list()[0]?.applied)
  await expect.poll(applied).toEqual([1, 1])

  const closed = server.close({ timeout: 20_000 })
  await expect(get(list)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await closed

  expect(await Promise.all(inFlight)).toMatchObject([{ status: 200 }, { status: 200 }])
})

test('a request that is not answered in time is cut off', async () => {
  const { simulator, server, get } = await start()
  let isWaiting = false
  simulator.use(
    http.get('*', () => {
      isWaiting = true
      return new Promise<never>(() => {})
    }),
  )
  const inFlight = get(list).catch((error) => error)
  await expect.poll(() => isWaiting).toBe(true)

  await server.close({ timeout: 20 })

  expect(await inFlight).toMatchObject({ message: 'fetch failed' })
})

test('streams of events end when the server stops, and do not delay it', async () => {
  const { server, get } = await start()
  const response = await get('/__admin/journal/events')

  await server.close({ timeout: 600_000 })

  expect(await response.text()).toBe(': the journal, an event for each entry\nid: 0\n\n')
})
