import http from 'node:http'
import { HttpResponse, http as handle, passthrough } from 'msw'
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
import { withSimulator } from '../../../src/node.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { startHttpServer } from '../../support/http-server.ts'
import '../../../src/vitest.ts'

// A project with a server of its own, some of whose handlers answer paths of the API.
const projects = 'http://app.example.com/api/projects/'
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const printed = vi.spyOn(console, 'error')
beforeEach(() => void printed.mockReset().mockImplementation(() => {}))
afterAll(() => printed.mockRestore())

/** Runs a function that fails. @returns the printed lines after its requests */
async function printedAfter(run: (simulator: Simulator) => unknown): Promise<string[]> {
  const failed = withSimulator(async ({ simulator }) => {
    await run(simulator)
    throw new Error('Mine')
  })
  await expect(failed).rejects.toThrow('Mine')
  const lines = String(printed.mock.calls.at(-1)).split('\n')
  return lines.filter((line) => !line.startsWith(' ')).slice(1)
}

const projectsOfTheProject = handle.get('*/api/projects/', () => HttpResponse.json({ count: 77 }))

/** Sends a request as axios does. */
const getWithHttp = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    http.get(url, ({ statusCode }) => resolve(statusCode)).on('error', reject)
  })

test('a handler of the project that answers a path of the API is named, for any client', async () => {
  server.use(projectsOfTheProject)
  const expected = [
    'Your handler GET */api/projects/ answered GET /api/projects/ before the simulator.',
  ]

  expect(await printedAfter(() => fetch(`${projects}?limit=1`))).toEqual(expected)
  expect(await printedAfter(() => getWithHttp(projects))).toEqual(expected)
})

test('a handler of simulator.use() is named, also for simulator.fetch, and by toHaveReceived', async () => {
  const expected = [
    'Your handler GET */api/projects/ answered GET /api/projects/ before the simulator.',
  ]

  const lines = await printedAfter(async (simulator) => {
    simulator.use(projectsOfTheProject)
    await simulator.fetch(projects)
    expect(() => expect(simulator).toHaveReceived({ operation: 'listProjects' })).toThrow(
      expected[0],
    )
  })
  const others = await printedAfter(async (simulator) => {
    simulator.use(projectsOfTheProject)
    await fetch(projects)
  })

  expect([lines, others]).toEqual([expected, expected])
})

test('a handler that lets requests through is named', async () => {
  const local = await startHttpServer((_request, response) => void response.end())
  server.use(handle.all('*', () => passthrough()))

  expect(await printedAfter(() => fetch(`${local}/api/projects/`))).toEqual([
    'Your handler ALL * let GET /api/projects/ through before the simulator.',
  ])
})

test('a handler of another API is not named, nor one without a response', async () => {
  server.use(
    handle.all('*', () => {}),
    handle.get('https://flags.example.com/', () => HttpResponse.json({})),
  )

  const lines = await printedAfter(() =>
    Promise.all([fetch('https://flags.example.com/'), fetch(projects)]),
  )

  expect(lines).toEqual([])
})

test('a fetch that an earlier test has replaced is named', async () => {
  await withSimulator(() => fetch(projects))
  vi.stubGlobal('fetch', async function leftOver() {})
  onTestFinished(() => void vi.unstubAllGlobals())

  expect(await printedAfter(() => fetch(projects))).toEqual([
    expect.stringContaining('globalThis.fetch was replaced by leftOver, so that '),
  ])
})

test('a server that was closed in an earlier test is named, and the fetch of the simulator is not', async () => {
  const inner = setupServer()
  onTestFinished(() => {
    server.close()
    server.listen({ onUnhandledRequest: 'error' })
  })
  const closing = await printedAfter(() => {
    inner.listen()
    inner.close()
  })
  const next = await printedAfter(() => {})
  server.close()
  server.listen({ onUnhandledRequest: 'error' })
  const later = await printedAfter(() => {})

  expect(closing).toEqual([])
  expect(next).toEqual([expect.stringMatching(/^A server of MSW was closed during a test\. /)])
  expect(later).toEqual([])
})
