import { expect, onTestFinished, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { formatRequest, RawConnection } from '../../support/transports/raw-connection.ts'
import { serve } from '../../support/transports/start.ts'

test('a client that sends many requests and reads nothing gets one response, and then all in order', async () => {
  const { origin, simulator } = await serve()
  const row = { content: 'x'.repeat(400) }
  simulator.world.add({ annotations: Array.from({ length: 5_000 }, () => row) })
  const connection = await RawConnection.to(origin)
  onTestFinished(() => void connection.socket.destroy())
  connection.socket.pause()
  const headers = { authorization: 'Bearer phx_all' }

  connection.send(
    Array.from({ length: 8 }, () => formatRequest('GET', `${list}?limit=5000`, { headers })).join(
      '',
    ),
  )
  await expect.poll(() => simulator.journal.find().length).toBeGreaterThan(0)
  await new Promise((done) => setTimeout(done, 200))
  const early = simulator.journal.find({ bodies: false }).length
  connection.socket.resume()

  expect(early).toBeLessThan(4)
  await expect.poll(() => simulator.journal.find({ bodies: false }).length).toBe(8)
})
