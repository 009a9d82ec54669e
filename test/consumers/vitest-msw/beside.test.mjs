import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { withSimulator } from 'understudy-api/node'
import { test } from 'understudy-api/vitest'
import { describe, expect } from 'vitest'
import { flags, server } from './server.mjs'

const projects = 'https://app.example.com/api/projects/'
const annotations = `${projects}1/annotations/`
const get = async (url, init) => (await fetch(url, init)).json()

test('the simulator answers the paths of the API, and the project its own', async ({
  simulator,
  as,
}) => {
  expect((await get(projects, as('all'))).count).toBe(2)
  expect(await get(flags)).toBe('project')
  expect(simulator).toHaveReceived({ operation: 'listProjects', count: 1 })
})

test('server.use() works in a test', async ({ as }) => {
  server.use(
    http.get(flags, () => HttpResponse.json('used')),
    http.get(annotations, () => HttpResponse.json('instead')),
  )
  expect([await get(flags), await get(annotations, as('all'))]).toEqual(['used', 'instead'])
})

test('its handlers are gone in the next one', async ({ as }) => {
  expect([await get(flags), (await get(annotations, as('all'))).count]).toEqual(['project', 6])
})

test('a request without a handler fails, as the project says', async () => {
  await expect(fetch('https://unknown.example.com/')).rejects.toThrow()
})

test('simulator.use() comes first', async ({ simulator }) => {
  simulator.use(http.get(flags, () => HttpResponse.json('test')))
  expect(await get(flags)).toBe('test')
})

describe('a suite with handlers', () => {
  test.override({
    simulatorOptions: { handlers: [http.get(flags, () => HttpResponse.json('suite'))] },
  })

  test('has them in each test', async () => {
    expect(await get(flags)).toBe('suite')
  })
})

test.concurrent.for([0, 1])(
  'tests at once have their own simulators: %i',
  async (extra, { simulator, as, expect }) => {
    const row = { content: 'More', scope: 'project' }
    for (let made = 0; made < extra; made++) simulator.world.annotations.add(row)
    expect((await get(annotations, as('all'))).count).toBe(6 + extra)
    expect(await get(flags)).toBe('project')
  },
)

test('a server that a test starts itself does not cut the simulator off', () =>
  withSimulator(async ({ as }) => {
    const inner = setupServer()
    inner.listen()
    expect((await get(projects, as('all'))).count).toBe(2)
    inner.close()
    expect((await get(projects, as('all'))).count).toBe(2)
  }))
