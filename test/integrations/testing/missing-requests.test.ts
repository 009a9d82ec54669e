import http from 'node:http'
import { HttpResponse, http as handle, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { linesOfFailedRun } from '../../support/failed-run.ts'
import { startHttpServer } from '../../support/http-server.ts'
import '../../../src/vitest.ts'

// A project with a server of its own, some of whose handlers answer paths of the API.
const projects = 'http://app.example.com/api/projects/'
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const none = 'The simulator received no requests.'
const projectsOfTheProject = handle.get('*/api/projects/', () => HttpResponse.json({ count: 77 }))

const projectsAnswered =
  'Your handler GET */api/projects/ answered GET /api/projects/ before the simulator. Remove it, or call simulator.use(...simulator.handlers).'

/** Sends a request as axios does. */
const getWithHttp = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    http.get(url, ({ statusCode }) => resolve(statusCode)).on('error', reject)
  })

test('a handler of the project that answers a path of the API is named, for any client', async () => {
  server.use(projectsOfTheProject)

  const byFetch = await linesOfFailedRun(() => fetch(`${projects}?limit=1`))
  const byHttp = await linesOfFailedRun(() => getWithHttp(projects))

  expect([byFetch, byHttp]).toEqual([
    [none, projectsAnswered],
    [none, projectsAnswered],
  ])
})

test('a handler of simulator.use() is named, also for simulator.fetch, and by toHaveReceived', async () => {
  const lines = await linesOfFailedRun(async ({ simulator }) => {
    simulator.use(projectsOfTheProject)
    await simulator.fetch(projects)
    expect(() => expect(simulator).toHaveReceived({ operation: 'listProjects' })).toThrow(
      `Failed to verify: expected listProjects at least once, found 0 in 0 requests.\n${projectsAnswered}`,
    )
  })
  const others = await linesOfFailedRun(async ({ simulator }) => {
    simulator.use(projectsOfTheProject)
    await fetch(projects)
  })

  expect([lines, others]).toEqual([
    [none, projectsAnswered],
    [none, projectsAnswered],
  ])
})

test('a handler that lets requests through is named', async () => {
  const local = await startHttpServer((_request, response) => void response.end())
  server.use(handle.all('*', () => passthrough()))

  expect(await linesOfFailedRun(() => fetch(`${local}/api/projects/`))).toEqual([
    none,
    'Your handler ALL * let GET /api/projects/ through before the simulator. Remove it, or call simulator.use(...simulator.handlers).',
  ])
})

test('a handler of another API is not named, nor one without a response', async () => {
  server.use(
    handle.all('*', () => {}),
    handle.get('https://flags.example.com/', () => HttpResponse.json({})),
  )

  const lines = await linesOfFailedRun(() =>
    Promise.all([fetch('https://flags.example.com/'), fetch(projects)]),
  )

  expect(lines).toEqual([
    'Requests to the simulator, the latest last:',
    '  401 GET /api/projects/, no key – the request has no Authorization header',
    'A key of the world is as("all").key. The labels are "all", "annotations", "annotation:read", "annotation:write", "plugins", "plugin:read", "plugin:write", "none", "old", "project_1".',
  ])
})

test('a server that was closed in an earlier test is named until another one listens', async () => {
  const inner = setupServer()
  const listenAgain = () => {
    server.close()
    server.listen({ onUnhandledRequest: 'error' })
  }
  onTestFinished(listenAgain)

  const closing = await linesOfFailedRun(() => {
    inner.listen()
    inner.close()
  })
  const next = await linesOfFailedRun(() => {})
  listenAgain()
  const later = await linesOfFailedRun(() => {})

  const stopped = expect.stringMatching(/^A server of MSW was closed during a test\. /)
  const clients =
    'Requests of these are not intercepted: the package undici, node:http2. Send them with fetch, or to a server: the fixture server, or exec.'
  const expected = [
    [stopped, none, clients],
    [none, stopped],
    [none, clients],
  ]
  expect([closing, next, later]).toEqual(expected)
})
