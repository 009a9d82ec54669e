import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('a request that is edited is handled as if the client had sent it so', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next()

  const response = ask('POST', annotationsPath, {
    body: { content: 'Sent' },
    headers: { 'x-one': '1', 'x-two': '2' },
  })
  const held = await next
  held.continue({
    method: 'PATCH',
    path: `${row}?edited=yes`,
    headers: { 'x-one': null, 'x-three': '3', authorization: 'Bearer phx_annotation_write' },
    body: { content: 'Edited' },
  })

  expect(await response).toMatchObject({ status: 200, body: { id: 1, content: 'Edited' } })
  const entry = simulator.journal.get(1)
  expect(entry).toMatchObject({
    operation: 'updateAnnotation',
    method: 'PATCH',
    path: row,
    query: { edited: 'yes' },
    key: { label: 'annotation:write' },
    request: {
      headers: { 'content-type': 'application/json', 'x-two': '2', 'x-three': '3' },
      body: { content: 'Edited' },
      bytes: 20,
    },
    breakpoint: {
      outcome: 'edited',
      sent: {
        method: 'POST',
        path: annotationsPath,
        headers: { authorization: 'Bearer phx_…', 'x-one': '1', 'x-three': null },
        body: { content: 'Sent' },
      },
    },
  })
  expect(entry?.request.headers).not.toHaveProperty('x-one')
})

test('a read that is edited to one page of a list has the links of that list', async () => {
  const { ask, simulator, origin } = await start()
  const next = simulator.breakpoints.next()

  const response = ask('GET', `${row}?limit=5`)
  const held = await next
  held.continue({ path: `${annotationsPath}?limit=1` })

  expect(await response).toMatchObject({
    status: 200,
    body: { next: `${origin}${annotationsPath}?limit=1&offset=1`, previous: null },
  })
})

test('a request with a body does not become a GET, and a GET gets no body', async () => {
  const { ask, simulator } = await start()
  const [first, second] = [simulator.breakpoints.next(), simulator.breakpoints.next()]

  const create = ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const creating = await first
  const list = ask('GET', annotationsPath)
  const listing = await second

  const refusal =
    'Failed to continue the request.\n  body: expected none with GET, got 20 bytes. Set body to "" to send none.'
  expect(() => creating.continue({ method: 'GET' })).toThrow(refusal)
  expect(() => listing.continue({ body: { content: 'Launch' } })).toThrow(refusal)
  expect(() => listing.continue({ method: 'HEAD' as never })).toThrow(
    'method: expected one of "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", got "HEAD"',
  )
  creating.continue({ method: 'GET', body: '' })
  listing.continue({ method: 'POST', body: { content: 'Launch' } })
  expect([await create, await list]).toMatchObject([
    { status: 200, body: { count: expect.any(Number) } },
    { status: 201, body: { content: 'Launch' } },
  ])
})

test('a HEAD request that becomes a GET gets the headers alone', async () => {
  const { origin, simulator } = await start()
  const next = simulator.breakpoints.next()
  const headers = { authorization: 'Bearer phx_all' }

  const pending = fetch(origin + annotationsPath, { method: 'HEAD', headers })
  ;(await next).continue({ method: 'GET' })
  const response = await pending

  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(simulator.journal.get(1)).toMatchObject({
    method: 'GET',
    breakpoint: { outcome: 'edited', sent: { method: 'HEAD' } },
  })
})

test('wrong input is refused, and the request is still held', async () => {
  const { ask, simulator } = await start()
  const { breakpoints } = simulator
  const next = breakpoints.next()
  const pending = ask('GET', annotationsPath)
  const held = await next

  expect(() => held.continue({ path: '/api/projects/1/anotations/' })).toThrow(
    'Failed to continue the request: expected a path of the API that its policies enable, got "/api/projects/1/anotations/". Did you mean GET /api/projects/:project_id/annotations?',
  )
  expect(() => held.continue({ headers: { 'content-length': '5' } })).toThrow(
    'headers: expected valid HTTP headers other than content-length, transfer-encoding, trailer',
  )
  expect(() => held.fulfill({ status: 99 })).toThrow('status: expected at least 200, got 99')
  expect(() => held.fulfill({ status: 204, body: 'x' })).toThrow(
    'body: expected no body with status 204',
  )
  expect(() => breakpoints.add({ timeout_ms: 0 })).toThrow(
    'Failed to add a breakpoint.\n  timeout_ms: expected at least 1, got 0',
  )
  expect(() => breakpoints.add('listPlugins' as never)).toThrow(
    'breakpoint: expected object, got "listPlugins"',
  )
  expect(() => held.fulfill(503 as never)).toThrow('response: expected object, got 503')
  expect(() => breakpoints.add({ operation: 'listPlugins', method: 'GET' })).toThrow(
    'method: expected an operation, or a method and a path, not both',
  )
  expect(breakpoints.held()).toEqual([held])
  held.continue()
  expect(() => held.drop()).toThrow(
    'Failed to drop the request: it has ended already (continued). A held request ends once.',
  )
  expect(await pending).toMatchObject({ status: 200 })
})

test('a value that is no JSON is refused as such, and so is one that is nested too deeply', async () => {
  const { ask, simulator } = await start()
  const next = simulator.breakpoints.next({ operation: 'createAnnotation' })
  const deep = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000))

  const pending = ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const held = await next
  const bodies = [{ content: 'E', a: undefined }, [() => 1], Number.NaN, new Date(0)]

  for (const body of bodies) {
    expect(() => held.continue({ body: body as never })).toThrow(
      /^Failed to continue the request\.\n {2}body: expected JSON values only: /,
    )
  }
  expect(() => held.fulfill({ body: deep })).toThrow(
    'body: expected a JSON value with at most 900 levels',
  )
  held.drop()
  await expect(pending).rejects.toThrow(TypeError)
})
