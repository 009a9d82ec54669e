import { HttpResponse, http, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { connect } from '../../../src/index.ts'
import { Interception } from '../../../src/integrations/testing/interception.ts'
import { MswNetwork } from '../../../src/integrations/testing/msw-network.ts'
import { listen, withSimulator } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'

// A project with a server of its own, as in its setup file.
const flags = 'https://flags.example.com/'
const other = 'https://other.example.com/'
const projects = 'https://app.example.com/api/projects/'
const text = (url: string, body: string) => http.get(url, () => HttpResponse.text(body))
const get = async (url: string) => (await fetch(url)).text()

const server = setupServer(text(flags, 'project'))
const strict = { onUnhandledRequest: 'error' } as const
const listenAgain = () => {
  server.close()
  server.listen(strict)
}
beforeAll(() => server.listen(strict))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

test('requests without a handler follow onUnhandledRequest of the project', async () => {
  await withSimulator(() => expect(fetch(other)).rejects.toThrow(/Cannot bypass a request/))
  await expect(fetch(projects)).rejects.toThrow(/Cannot bypass a request/)
  await withSimulator(() => expect(fetch(`${projects}1/anotations`)).rejects.toThrow())

  const printed = String(vi.mocked(console.error).mock.calls)
  expect(printed).toContain('without a matching request handler')
  expect(printed).toContain('Did you mean /api/projects/1/annotations?')
})

test('the admin API of a server on this machine can be reached', async () => {
  await withSimulator(async ({ simulator }) => {
    const listening = await listen(simulator)
    onTestFinished(() => listening.close())
    const remote = connect(listening.url)
    const sandbox = await remote.sandboxes.create()

    expect((await remote.world.read()).annotations).toHaveLength(8)
    expect((await sandbox.remote.world.read()).annotations).toHaveLength(8)
    await expect(fetch(`${listening.url}/other`)).rejects.toThrow(/Cannot bypass a request/)
  })
})

test('server.use() of the project comes before the simulator, and simulator.use() before both', async () => {
  await withSimulator(async ({ simulator }) => {
    server.use(text(other, 'used'), text(projects, 'instead of the simulator'))
    expect([await get(other), await get(projects)]).toEqual(['used', 'instead of the simulator'])

    simulator.use(text(other, 'of the simulator'))
    expect(await get(other)).toBe('of the simulator')

    server.resetHandlers()
    expect((await fetch(projects)).status).toBe(401)
  })
})

test('a server that a test starts and closes does not stop the simulator, but the one of the project: this is said', async () => {
  const inner = setupServer(text(other, 'inner'))
  onTestFinished(listenAgain)

  await withSimulator(async () => {
    inner.listen(strict)
    expect([await get(other), (await fetch(projects)).status]).toEqual(['inner', 401])
    inner.close()
    expect((await fetch(projects)).status).toBe(401)
  })

  expect(vi.mocked(console.error).mock.calls).toEqual([
    [
      'A server of MSW was closed during a test. This stops all servers that listened before, and their handlers. ' +
        'Add handlers with server.use() to the server that listens already, instead of starting another.',
    ],
  ])
})

test('a server that starts in a function goes on after it', async () => {
  server.close()
  const before = globalThis.fetch

  await withSimulator(async () => {
    server.listen(strict)
    expect([await get(flags), (await fetch(projects)).status]).toEqual(['project', 401])
  })
  expect(await get(flags)).toBe('project')
  await withSimulator(async () => expect((await fetch(projects)).status).toBe(401))
  server.close()

  expect(globalThis.fetch).toBe(before)
  server.listen(strict)
})

test('a request runs once beside two servers of the project, by the handlers of the later one', async () => {
  const later = setupServer(
    http.post(other, async ({ request }) => HttpResponse.text(await request.text())),
  )
  later.listen(strict)
  onTestFinished(listenAgain)
  onTestFinished(() => later.close())

  await withSimulator(async ({ simulator, as }) => {
    const sent = await fetch(other, { method: 'POST', body: 'read once' })
    await fetch(`${projects}1/annotations/`, as('all'))

    expect([await sent.text(), simulator.journal.find().length]).toEqual(['read once', 1])
  })
  expect(console.error).not.toHaveBeenCalled()
})

test('a start that fails leaves nothing behind', async () => {
  const network = new MswNetwork()
  vi.spyOn(network, 'listen').mockImplementationOnce(() => {
    throw new Error('Mine')
  })
  const end = vi.spyOn(network, 'end')
  const interception = new Interception(network)

  const failed = interception.run(createSimulator(), () => {})
  await expect(failed).rejects.toThrow('Mine')
  expect(end).toHaveBeenCalledTimes(1)
  await interception.run(createSimulator(), () => {})

  expect(end).toHaveBeenCalledTimes(2)
})

test('without a server of the project, a closed one leaves the simulator in charge, and nothing is printed', async () => {
  server.close()
  onTestFinished(() => server.listen(strict))
  const inner = setupServer(http.all('*', () => passthrough()))

  await withSimulator(async () => {
    inner.listen()
    inner.close()
    expect((await fetch(projects)).status).toBe(401)
  })

  expect(console.error).not.toHaveBeenCalled()
})

test('an MSW whose servers cannot be found is refused', () => {
  expect(() => new MswNetwork({})).toThrow(
    /^msw 2\.15\.0 is not known: its servers are not where those of msw 2\.13 or newer, or 3 are\./,
  )
})
