import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { withSimulator } from '../../src/node.ts'
import { createSimulator } from '../../src/simulator.ts'
import { intercept, startOtherServer } from '../support/api/intercept.ts'

const nearest = [
  'GET /api/projects/:project_id/annotations',
  'POST /api/projects/:project_id/annotations',
  'GET /api/projects/:project_id/annotations/:id',
]

test('a path with a misspelled word gets the 404 of the service, and a header suggests endpoints', async () => {
  const message = await withSimulator(async ({ simulator }) => {
    const response = await fetch('https://app.example.com/api/projects/1/anotations/')

    expect(response.status).toBe(404)
    expect(response.headers.get('understudy-nearest')?.split(', ')).toEqual(nearest)
    expect(await response.json()).toEqual({
      type: 'invalid_request',
      code: 'not_found',
      detail: 'Endpoint not found.',
      attr: null,
    })
    return simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).message
  })

  expect(message).toBe(
    'Failed to verify: expected listAnnotations exactly once, found 0 in 1 request. Nearest: entry 1 (operation: expected listAnnotations, got none: GET /api/projects/1/anotations/ is unknown (closest: GET /api/projects/:project_id/annotations, segment 4: expected annotations, got anotations)).',
  )
})

test('paths of other APIs are ignored, even if they begin like ours', async () => {
  const { unhandled } = intercept(createSimulator().handlers)
  const other = await startOtherServer()
  const paths = [
    '/api/project/',
    '/api/projects/1/',
    '/api/projects/1/actions/',
    '/api/projects/1/annotations/1/comments/',
    '/api/projects//anotations/',
    '/projects/1/annotations/',
    '/app/projects/1/annotations/',
    '/v1/api/projects/1/anotations/',
    '/api/organizations/1/members/',
  ]

  for (const path of paths)
    expect(await (await fetch(other + path)).json()).toEqual({ other: path })

  expect(unhandled).toEqual(paths.map((path) => other + path))
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
