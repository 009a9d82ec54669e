import { once } from 'node:events'
import http, { type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import type { FaultRule } from '../../src/simulator/faults/fault.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { temporaryFolder } from '../support/files.ts'

// What clients of node:http, such as axios and got, see of a simulator behind setupServer.

/** A simulator with a fault, and a function that creates an annotation by node:http. */
function startWith(fault: FaultRule) {
  const simulator = createSimulator({ baseUrl: 'http://api.test' })
  simulator.faults.add(fault)
  const server = setupServer(...simulator.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const before = simulator.world.annotations.count
  const create = (options: RequestOptions = {}) =>
    new Promise((resolve, reject) => {
      const headers = { ...authorization(), 'content-type': 'application/json' }
      http
        .request(`http://api.test${annotationsPath}`, { method: 'POST', headers, ...options })
        .on('response', (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        })
        .on('error', reject)
        .end('{}')
    })
  return { simulator, create, added: () => simulator.world.annotations.count - before }
}

test.each<[phase: FaultRule['phase'] & string, added: number]>([
  ['before', 0],
  ['after-commit', 1],
])('a connection that a fault drops in phase %s is reset', async (phase, added) => {
  const faulty = startWith({ phase, effect: { drop: true } })

  await expect(faulty.create()).rejects.toMatchObject({
    code: 'ECONNRESET',
    message: 'read ECONNRESET',
  })
  expect(faulty.added()).toBe(added)
})

test.each([
  ['a held request', { hold: true }, 'the request was not carried out', 0],
  ['a delayed response', { delay_ms: 60_000 }, 'the request was carried out', 1],
] as const)('%s whose client gives up has no response', async (_, effect, reason, carriedOut) => {
  const { simulator, create, added } = startWith({ effect })

  const pending = create({ signal: AbortSignal.timeout(50) })

  await expect(pending).rejects.toMatchObject({ code: 'ABORT_ERR' })
  await expect.poll(() => simulator.journal.find()).toHaveLength(1)
  simulator.faults.clear()
  expect(simulator.journal.find()).toMatchObject([
    { response: { status: 0 }, reason: expect.stringContaining(reason) },
  ])
  expect(added()).toBe(carriedOut)
})

test.skipIf(process.platform === 'win32')(
  'a request to a socket of this machine reaches it, whatever its path',
  async () => {
    const socketPath = join(temporaryFolder(), 'daemon.sock')
    const daemon = http.createServer((_, response) => response.end('daemon')).listen(socketPath)
    const server = setupServer(...createSimulator().handlers)
    server.listen()
    onTestFinished(() => void [server.close(), daemon.close()])
    await once(daemon, 'listening')

    const [response] = await once(http.get({ socketPath, path: '/api/projects/' }), 'response')

    expect([response.statusCode, await text(response)]).toEqual([200, 'daemon'])
  },
)
