import { expect, test } from 'vitest'
import { start } from '../support/lanes/start.ts'

const notFound = {
  type: 'invalid_request',
  code: 'not_found',
  detail: 'Endpoint not found.',
  attr: null,
}

test('an unknown path responds in JSON, without a key, and names the nearest paths', async () => {
  const client = await start()

  const response = await client.send('GET', '/api/project/1/annotation/', { key: null })

  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('understudy-nearest')?.split(', ')).toEqual([
    'GET /api/projects/:project_id/annotations',
    'POST /api/projects/:project_id/annotations',
    'GET /api/projects/:project_id/annotations/:id',
  ])
  expect(await response.json()).toEqual(notFound)
})

test('the nearest paths depend on the method', async () => {
  const client = await start()

  const response = await client.send('PATCH', '/api/projects/1/annotations/7/again')

  const [nearest] = response.headers.get('understudy-nearest')?.split(', ') ?? []
  expect(nearest).toBe('PATCH /api/projects/:project_id/annotations/:id')
})

test('an unknown path responds with 404 to any method and body', async () => {
  const { ask } = await start()

  const responses = [
    await ask('POST', '/api/annotations/', { body: {} }),
    await ask('DELETE', '/api/', { raw: '{' }),
    await ask('OPTIONS', '/api/projects/1/annotation'),
    await ask('PUT', '/api/organizations/', { raw: 'x'.repeat(2_000_000) }),
    await ask('GET', '/api/projects/1/annotations/1/comments/'),
  ]

  for (const response of responses) expect(response).toEqual({ status: 404, body: notFound })
  expect(await ask('HEAD', '/api/nothing')).toEqual({ status: 404, body: undefined })
})

// In-process, such paths belong to other APIs.
test('paths outside /api get the same response', async () => {
  const { ask } = await start()

  for (const path of [
    '/index.html',
    '/favicon.ico',
    '/apis/projects/',
    '/admin',
    '/__admin/nothing',
  ]) {
    expect(await ask('GET', path), path).toEqual({ status: 404, body: notFound })
  }
})

test('onNotFound is called for each unknown path', async () => {
  const calls: string[][] = []
  const onNotFound = (...args: [string, string, string]) => void calls.push(args)
  const { ask } = await start({}, { onNotFound })

  await ask('POST', '/api/project/1/annotations?limit=1', { body: {} })
  await ask('GET', '/api/projects/1/annotations/999/')
  await ask('GET', '/api/projects/')
  await ask('HEAD', '/elsewhere')

  expect(calls).toEqual([
    [
      'POST',
      '/api/project/1/annotations?limit=1',
      'POST /api/projects/:project_id/annotations, GET /api/projects/:project_id/annotations, GET /api/projects/:project_id/annotations/:id',
    ],
    ['HEAD', '/elsewhere', expect.stringContaining('GET /api/projects')],
  ])
})
