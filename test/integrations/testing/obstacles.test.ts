import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { HttpRequestEventMap } from '@mswjs/interceptors'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkMsw } from '../../../src/integrations/testing/obstacles.ts'
import { hasInterceptors } from '../../../src/integrations/testing/other-interceptors.ts'
import { withSimulator } from '../../../src/node.ts'
import { linesOfFailedRun } from '../../support/failed-run.ts'
import { temporaryFolder } from '../../support/files.ts'
import { root } from '../../support/root.ts'

const projects = 'https://app.example.com/api/projects/'
const annotations = `${projects}1/annotations/`
const dispatcher = Symbol.for('undici.globalDispatcher.1')
const agent = Reflect.get(globalThis, dispatcher)
class MockAgent {}

afterEach(() => {
  Reflect.set(globalThis, dispatcher, agent)
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const none = 'The simulator received no requests.'

test.each<[what: string, obstruct: () => unknown, sentence: string]>([
  [
    'a fetch that was replaced',
    () => vi.stubGlobal('fetch', async function fetchMock() {}),
    'globalThis.fetch was replaced by fetchMock, so that its requests are not intercepted. Remove the replacement for these tests, and add MSW handlers with simulator.use(…).',
  ],
  [
    'a mock function',
    () => vi.stubGlobal('fetch', vi.fn()),
    'globalThis.fetch was replaced by a mock function, so that its requests are not intercepted. Remove the replacement for these tests, and add MSW handlers with simulator.use(…).',
  ],
  [
    'the environment of Nuxt',
    () => vi.stubGlobal('__NUXT_VITEST_ENVIRONMENT__', true),
    'The environment of @nuxt/test-utils replaces fetch, so that requests of fetch and $fetch are not intercepted. Run the tests beside a server, and send the requests to UNDERSTUDY_URL: npx understudy-api exec -- npx vitest run',
  ],
  [
    'a MockAgent of undici',
    () => Reflect.set(globalThis, dispatcher, new MockAgent()),
    'The global dispatcher of undici is a MockAgent, which answers requests of the package undici. The simulator does not intercept this package: send the requests of these tests with the global fetch.',
  ],
  [
    'a proxy of the environment',
    () => vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9'),
    'HTTP_PROXY is set, so clients such as axios send their requests to a proxy, and the simulator does not get them: the client may fail with "Invalid URL". Run the tests with NO_PROXY=\'*\', or unset HTTP_PROXY.',
  ],
])('%s is named, with the cure', async (_, obstruct, sentence) => {
  expect(await linesOfFailedRun(obstruct)).toEqual([none, sentence])
})

test('two copies of msw are named, with their versions and files', async () => {
  const folder = realpathSync(temporaryFolder())
  const other = join(folder, 'node_modules', 'msw')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'package.json'), '{"name":"msw","version":"2.12.3"}')
  vi.spyOn(process, 'cwd').mockReturnValue(folder)

  const lines = await linesOfFailedRun(() => {})

  const own = realpathSync(`${root}node_modules/msw/package.json`)
  expect(lines).toEqual([
    none,
    `There are two copies of msw: this package uses 2.15.0 in ${own}, and the project uses 2.12.3 in ${join(other, 'package.json')}. Run npm ls msw, install one version for both, then run npm dedupe.`,
  ])
})

test('msw 3 is refused on a Node that it does not support', () => {
  const folder = temporaryFolder()
  const install = (version: string) => {
    mkdirSync(join(folder, 'node_modules', 'msw'), { recursive: true })
    const text = JSON.stringify({ name: 'msw', version })
    writeFileSync(join(folder, 'node_modules', 'msw', 'package.json'), text)
    return join(folder, 'test.js')
  }

  expect(() => checkMsw(install('2.15.0'), {})).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), { withResolvers() {} })).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), {})).toThrow(
    `msw 3.0.5 needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
})

test('nothing is said about them if the simulator received a request', async () => {
  const lines = await linesOfFailedRun(async () => {
    await fetch(projects)
    vi.stubGlobal('fetch', vi.fn())
  })

  expect(lines.slice(0, 1)).toEqual(['Requests to the simulator, the latest last:'])
  expect(lines.join('\n')).not.toContain('globalThis.fetch')
})

test('a second copy of msw 3 is recognized while it intercepts requests', () => {
  const name = '__MSW_INTERCEPTORS_REGISTRY'
  onTestFinished(() => void Reflect.deleteProperty(globalThis, name))
  const obstacles = ['INACTIVE', 'ACTIVE', 'DISPOSED'].map((readyState) => {
    Reflect.set(globalThis, name, new Map([[Symbol('node-http-request-source'), { readyState }]]))
    return hasInterceptors()
  })

  expect(obstacles).toEqual([false, true, false])
})

test('another library that intercepted requests before is named, also in later tests', async () => {
  const name = Symbol('fetch-interceptor')
  Reflect.set(globalThis, name, {})
  await linesOfFailedRun(() => {})
  // As MSW does when a server is closed.
  Reflect.deleteProperty(globalThis, name)

  expect(await linesOfFailedRun(() => {})).toEqual([
    none,
    'Another library intercepted requests before the simulator did, such as a second copy of msw. Run npm ls msw, and import setupServer from the same msw as your tests.',
  ])
})

test('what nock answers is not carried out, and named', async () => {
  // nock loads them as CommonJS.
  const require = createRequire(import.meta.url)
  const { BatchInterceptor } = require('@mswjs/interceptors')
  const { FetchInterceptor } = require('@mswjs/interceptors/fetch')
  const interceptors = [new FetchInterceptor()]
  const nock = new BatchInterceptor({ name: 'nock-interceptor', interceptors })
  nock.apply()
  nock.on('request', ({ request, controller }: HttpRequestEventMap['request'][0]) => {
    if (request.method === 'POST' || request.url.includes('flags'))
      controller.respondWith(Response.json({ id: 4711 }))
  })
  onTestFinished(() => nock.dispose())
  const printed = vi.spyOn(console, 'error').mockReturnValue()

  const [answers, received] = await withSimulator(async ({ simulator, as }) => {
    const { headers } = as('all')
    const created = await fetch(annotations, { method: 'POST', headers })
    const flags = await fetch('https://flags.example.com/')
    const listed = await (await fetch(annotations, { headers })).json()
    const requests = simulator.journal.find().map(({ method }) => method)
    return [[await created.json(), await flags.json(), listed.count], requests] as const
  })
  expect([answers, received]).toEqual([[{ id: 4711 }, { id: 4711 }, 6], ['GET']])
  // Such as that no handler answers the request for flags.
  expect(printed).not.toHaveBeenCalled()

  const lines = await linesOfFailedRun(() => fetch(annotations, { method: 'POST' }))
  expect(lines).toEqual([
    none,
    'nock answered POST /api/projects/1/annotations/ before the simulator, which did not carry it out. Remove its interceptor, as with nock.cleanAll().',
    expect.stringContaining('nock.enableNetConnect("app.example.com")'),
  ])
})
