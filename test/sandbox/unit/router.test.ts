import { expect, test } from 'vitest'
import { bodyText } from '../../../src/http/messages.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { openRouter } from '../../../src/sandbox/router.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'

const { loaded } = createSimulator().sandbox
const head = (path: string) => ({ url: `http://localhost${path}`, headers: new Headers() })

test('a router without sandboxes leads every request to its own', async () => {
  const router = openRouter(loaded, resolvePolicies(), { clock: noon })

  const { status } = await router.fetch(annotationsPath, { headers: authorization() })
  const missing = router.notFound('GET', head(`/__sandbox/one${annotationsPath}`))

  expect(router.resolver.resolve(undefined, head('/'))).toBe(router.sandbox)
  expect(router.resolver.resolve('one', head('/'))).toBe(undefined)
  expect(status).toBe(200)
  expect([missing.status, JSON.parse(bodyText(missing.body)).detail]).toEqual([
    404,
    'Sandbox one not found: it was never created, or has ended.',
  ])
})

test.each([
  [undefined, 'http://localhost', 'http://localhost'],
  ['/service', 'http://localhost/service', 'http://localhost'],
  ['https://api.test/v1', 'https://api.test/v1', 'https://api.test'],
])('the URL and the origin of the base URL %s', (baseUrl, url, origin) => {
  const router = openRouter(loaded, resolvePolicies(), baseUrl === undefined ? {} : { baseUrl })

  expect([router.url, router.origin]).toEqual([url, origin])
})

test('the handlers are created once', () => {
  const router = openRouter(loaded, resolvePolicies(), {})

  expect(router.handlers).toBe(router.handlers)
  expect(router.endpointHandlers).toBe(router.endpointHandlers)
  expect(router.handlers.length).toBeGreaterThan(router.endpointHandlers.length)
})

test.each([
  ['/__admin', 0],
  ['/__admin/', 0],
  ['/__admin/nothing?a=1', 0],
  ['/__administration', 1],
  ['/a/__admin', 1],
  ['/api', 1],
  ['/', 1],
])('the unknown path %s has %i entries', (path, count) => {
  const router = openRouter(loaded, resolvePolicies(), {})

  const { status } = router.notFound('GET', head(path))

  expect([status, router.sandbox.journal.records.map(({ target }) => target)]).toEqual([
    404,
    count === 0 ? [] : [path],
  ])
})

test.each([
  [false, undefined],
  [
    true,
    '404: no operation has the path `/api/projets/` (nearest: GET /api/projects; segment 2: expected projects, got projets)',
  ],
])('without a journal, an unknown path is explained if asked for: %s', (explain, why) => {
  const simulator = createSimulator({ journal: { entries: 0 }, explain })

  const { headers } = simulator.notFound('GET', head('/api/projets/'))

  expect(headers['understudy-why']).toBe(why)
  expect(headers['understudy-nearest']).toMatch(/^GET \/api\/projects, /)
})

test('whether responses are explained in a header can change', async () => {
  const simulator = createSimulator()
  const explains = async () => {
    const { headers } = await simulator.fetch(annotationsPath)
    return [simulator.explainsInHeader, headers.has('understudy-why')]
  }

  const seen = [await explains()]
  simulator.explainsInHeader = true
  seen.push(await explains())
  simulator.explainsInHeader = false
  seen.push(await explains())

  expect(seen).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ])
})

test('an unknown path of the live service has the policies that its response depends on', async () => {
  const simulator = createSimulator({ profile: 'live' })
  await simulator.fetch(annotationsPath, { headers: authorization() })

  await simulator.fetch('/api/unknown/', { method: 'OPTIONS' })

  const [, entry] = simulator.journal.find()
  expect(entry).toMatchObject({ operation: null, method: 'OPTIONS', path: '/api/unknown/' })
  expect(entry?.policies.map(({ id }) => id)).toEqual([
    'paths.unknown',
    'paths.format',
    'bodies.form',
  ])
})

test('a listener is called after each write, and after each replacement of all rows', () => {
  const simulator = createSimulator()
  let count = 0
  const remove = simulator.onChange(() => {
    count += 1
  })
  const counts: number[] = []
  const change = (write: () => void) => {
    write()
    counts.push(count)
  }

  change(() => simulator.world.annotations.create())
  change(() => simulator.world.annotations.delete(1))
  change(() => simulator.clock.advance({ hours: 1 }))
  change(() => simulator.reset({ only: ['rows'] }))
  change(remove)
  change(() => simulator.world.annotations.delete(1))

  expect(counts).toEqual([1, 2, 2, 3, 3, 3])
})

test('an aborted request is rejected with its reason', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { drop: true } })
  const signal = AbortSignal.abort(new Error('no longer needed'))

  await expect(simulator.fetch(annotationsPath, { signal })).rejects.toThrow('no longer needed')
})
