import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'

const nearest = [
  'GET /api/projects/:project_id/annotations',
  'POST /api/projects/:project_id/annotations',
  'GET /api/projects/:project_id/annotations/:id',
]

test.each([
  'GET /api/project/1/annotations/',
  'PATCH /api/projects/1/annotation/7/',
  'POST /api/organisations/1/plugins?limit=1',
  'POST /api/organizations/1/plugins/1/upgarde',
  'GET /api/organizations/1/plugin/unused/',
  'GET /__sandbox/sandbox-1/api/projects/1/anotations',
])('%s has a misspelled word', async (text) => {
  const [method, path] = text.split(' ') as [string, string]
  const simulator = createSimulator()
  simulator.sandboxes.create()

  const response = await getResponse(
    simulator.handlers,
    new Request(`http://a.test${path}`, { method }),
  )

  expect(response?.status).toBe(404)
  expect(response?.headers.get('understudy-nearest')).toContain('/api/')
})

test('with a base URL, misspelled paths are matched below it only', async () => {
  const simulator = createSimulator({ baseUrl: '/service' })
  const send = (path: string) =>
    getResponse(simulator.handlers, new Request(`http://a.test${path}`))

  const response = await send('/service/api/projects/1/anotations/')

  expect(response?.headers.get('understudy-nearest')?.split(', ')).toEqual(nearest)
  expect(await send('/api/projects/1/anotations/')).toBeUndefined()
})

test.each([
  ['/api/projects/1/anotation/', 404],
  ['/api/projects/1/anotatio/', undefined],
  ['/api/projects/1/annotationsss/', 404],
  ['/api/projects/1/annotationssss/', undefined],
  ['/api/organizations/1/plugins/1/upgr/', undefined],
  ['/api/organizations/1/plugins/1/upgra/', 404],
  ['/api/organizations/1/plugins/unused/extra/', undefined],
  ['/api/project/1/anotations/', undefined],
  ['/apis/projects/1/annotations/', undefined],
  ['/api/projects//anotations/', undefined],
  ['/api/project/', undefined],
])('%s is answered with %s: at most two letters of one word may differ', async (path, status) => {
  const { handlers } = createSimulator()

  const response = await getResponse(handlers, new Request(`http://a.test${path}`))

  expect(response?.status).toBe(status)
})

test.each([
  ['/api/projects/1/annotation', 'segment 4: expected annotations, got annotation'],
  ['/api/projects/1/annotations/1/2', 'segment 6: expected nothing, got 2'],
  ['/api/project/1/annotations', 'segment 2: expected projects, got project'],
  ['/api/organizations/1/plugins/1/2/3', 'segment 6: expected nothing, got 2'],
  ['/api/organizations/1', 'segment 4: expected plugins, got nothing'],
  ['/api/organizations/1/plugin/1/upgrade', 'segment 4: expected plugins, got plugin'],
])('the journal says how %s differs from the nearest endpoint', async (path, difference) => {
  for (const baseUrl of ['*', '/service']) {
    const simulator = createSimulator({ baseUrl })

    await simulator.fetch(path)

    const [entry] = simulator.journal.find({})
    expect(entry?.nearest?.[0]?.difference, baseUrl).toBe(difference)
  }
})
