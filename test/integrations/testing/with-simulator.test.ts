import http from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type SimulatorContext, withSimulator } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

/** Runs a function in `withSimulator`, then fails. @returns the lines that are printed */
async function linesOfFailedRun(run: (context: SimulatorContext) => unknown): Promise<string[]> {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const failed = withSimulator(async (context) => {
      await run(context)
      throw new Error('Mine')
    })
    await expect(failed).rejects.toThrow('Mine')
    return printed.mock.calls.flatMap(([text]) => String(text).split('\n'))
  } finally {
    printed.mockRestore()
  }
}

const projects = 'https://app.example.com/api/projects/'
const annotations = 'https://app.example.com/api/projects/1/annotations/'

const labels =
  '"all", "annotations", "annotation:read", "annotation:write", "plugins", "plugin:read", "plugin:write", "none", "old", "project_1"'

test('as() returns a client with the key of a label', async () => {
  await withSimulator(async ({ simulator, as }) => {
    const reader = as('annotation:read')
    const body = '{"content":"Launch"}'
    const headers = { 'content-type': 'application/json', authorization: 'Bearer other' }

    expect(reader.key).toBe('phx_annotation_read')
    expect(reader.headers).toEqual({ authorization: 'Bearer phx_annotation_read' })
    expect((await reader.fetch(annotations)).status).toBe(200)
    expect((await reader.fetch(annotations, { method: 'POST', headers, body })).status).toBe(403)
    expect((await as('all').fetch('/api/projects/')).status).toBe(200)
    expect((await as('all').fetch(new Request(annotations, { headers }))).status).toBe(200)
    const { fetch } = simulator
    expect((await fetch('/api/projects/')).status).toBe(401)
    expect(() => as('anotation:read')).toThrow(
      `No key has the label or value "anotation:read". Did you mean "annotation:read"? The labels are ${labels}.`,
    )
  })
})

test('as() sends a Request with its own headers, or with those of the options', async () => {
  await withSimulator(async ({ simulator, as }) => {
    const request = new Request(annotations, { headers: { 'x-note': 'of the request' } })

    await as('all').fetch(request)
    await as('all').fetch(request, { headers: { 'x-note': 'of the options' } })

    const sent = simulator.journal.find().map(({ request }) => request.headers)
    expect(sent.map((headers) => headers['x-note'])).toEqual(['of the request', 'of the options'])
    expect(sent.map(({ authorization }) => authorization)).toEqual(Array(2).fill('Bearer phx_…'))
  })
})

test('as() takes the value or the scopes of a key', async () => {
  const scopes =
    'The scopes of the keys are ["*"], ["annotation:read","annotation:write"], ["annotation:read"], ["annotation:write"], ["plugin:read","plugin:write"], ["plugin:read"], ["plugin:write"], [].'
  await withSimulator(async ({ as }) => {
    expect(as('phx_annotations').key).toBe('phx_annotations')
    expect(as(['annotation:write', 'annotation:read']).key).toBe('phx_annotations')
    expect(as([]).key).toBe('phx_none')
    expect(() => as(['plugin:read', 'annotation:read'])).toThrow(
      `No key has the scopes ["plugin:read","annotation:read"]. ${scopes}`,
    )
    // @ts-expect-error: a misspelt scope
    expect(() => as(['annotation:raed'])).toThrow(
      `No key has the scopes ["annotation:raed"]. Did you mean "annotation:read"? ${scopes}`,
    )
  })
})

test('the network is restored afterwards, even if the function throws', async () => {
  const before = [globalThis.fetch, http.request]

  const failed = withSimulator(async () => {
    expect(globalThis.fetch).not.toBe(before[0])
    await fetch(projects)
    throw new Error('Mine')
  })

  await expect(failed).rejects.toThrow('Mine')
  await expect(withSimulator(() => Reflect.apply(notThere, null, []))).rejects.toThrow(TypeError)
  expect([globalThis.fetch, http.request]).toEqual(before)
})

const notThere = undefined as never

test('a function that throws prints its latest requests: status, key, the reason and the settings', async () => {
  const lines = await linesOfFailedRun(async ({ simulator, as }) => {
    simulator.keys.issue({ value: 'phx_without_a_label' })
    const { headers } = as('all')
    const post = (body: string) =>
      fetch(annotations, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
    await fetch(`${annotations}?search=a+b`, { headers })
    await fetch(projects)
    await fetch(projects, { headers: { authorization: 'Bearer phx_all_but_unknown' } })
    await post('{"scope":"no"}')
    await simulator.fetch('/api/projects/1/anotations/', { headers })
    await post('{"contnt":"a"}')
    await post(JSON.stringify({ scope: '\u001b[2J' }))
    simulator.faults.add({ when: { times: 1 }, effect: { drop: true } })
    await fetch(projects, { headers }).catch(() => {})
  })

  expect(lines).toEqual([
    'Requests to the simulator, the latest last:',
    '  200 GET /api/projects/1/annotations/?search=a+b, key "all"',
    '  401 GET /api/projects/, no key – the request has no Authorization header',
    '  401 GET /api/projects/, key "phx_…nown" – no key matches phx_a…',
    '  400 POST /api/projects/1/annotations/, key "all" – body.scope: `no` is not one of dashboard_item, project, organization',
    '  404 GET /api/projects/1/anotations/, key "all" – no operation has the path `/api/projects/1/anotations/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got anotations)',
    '  201 POST /api/projects/1/annotations/, key "all" – ignored: body.contnt, did you mean content?',
    expect.stringContaining('body.scope: `\\u001b[2J` is not one of'),
    '  no response to GET /api/projects/, key "all" – the fault `fault-1` was applied: the connection drops before the request is carried out',
    'A key of the world is as("all").key. The labels are "all", "annotations", "annotation:read", "annotation:write", "plugins", "plugin:read", "plugin:write", "none", "old", "project_1".',
    'To accept the key that the client sends, issue it: simulator.keys.issue({ value: … }).',
    'Client mistakes:',
    '  ignored-input: createAnnotation ignores body.contnt, did you mean content?',
    '    entry 6: 201 POST /api/projects/1/annotations/',
    '  Leave it out, or send a name and a value that the documentation lists.',
    'Notes about the client, which can be on purpose:',
    expect.stringContaining(
      'unhandled-refusal: GET was refused, and not made good so far. It got 404: no operation',
    ),
    '    entry 5: 404 GET /api/projects/1/anotations/',
    expect.stringContaining('Look at the status of each response'),
    expect.stringContaining(
      'unhandled-refusal: createAnnotation was refused, and not made good so far. It got 400: body.scope: `\\u001b[2J` is',
    ),
    '    entry 7: 400 POST /api/projects/1/annotations/',
    expect.stringContaining('Look at the status of each response'),
  ])
})

const erase = async ({ as }: SimulatorContext) => {
  await fetch(annotations, { headers: as('all').headers })
  await fetch(`${annotations}1/?reason=a+duplicate+of+the+next+one`, {
    method: 'DELETE',
    headers: as('all').headers,
  })
}

test('withSimulator prints the mistakes of a function that passes, unless mistakes is off', async () => {
  const printed = vi.spyOn(console, 'warn').mockReturnValue()

  await withSimulator(erase)
  await withSimulator({ mistakes: 'off' }, erase)
  await withSimulator(({ as }) => fetch(annotations, { headers: as('all').headers }))

  expect(printed.mock.calls.map(([text]) => String(text).split('\n').slice(0, 2))).toEqual([
    [
      'Client mistakes:',
      '  swallowed-delete, once: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far. (entry 2: 405 DELETE /api/projects/1/annotations/1/?reason=a+duplicate+of+the+next+one)',
    ],
  ])
})

test('a mistake fails a function that says so, and a note does not', async () => {
  const readFirst = async ({ simulator, as }: SimulatorContext) => {
    simulator.world.add({ annotations: Array.from({ length: 50 }, () => ({ scope: 'project' })) })
    await fetch(`${annotations}?limit=50`, { headers: as('all').headers })
  }
  const printed = vi.spyOn(console, 'warn').mockReturnValue()

  await expect(withSimulator({ mistakes: 'fail' }, erase)).rejects.toThrow(
    /^Client mistakes:\n {2}swallowed-delete: Annotation 1 was not deleted/,
  )
  await withSimulator({ mistakes: 'fail' }, readFirst)

  expect(printed.mock.calls.map(([text]) => String(text).split('\n')[0])).toEqual([
    'Notes about the client, which can be on purpose:',
  ])
  await expect(withSimulator({ mistakes: 'loud' as 'fail' }, erase)).rejects.toThrow(
    'Failed to create a simulator: mistakes: expected one of "off", "print", "fail", got "loud".',
  )
})

test('a wrong use of the simulator is reported without the latest requests', async () => {
  const printed = vi.spyOn(console, 'error')

  await expect(withSimulator(({ as }) => as('nobody'))).rejects.toThrow(/"nobody"/)

  expect(printed).not.toHaveBeenCalled()
})

test('without a request, a failed function says what to look at', async () => {
  expect(await linesOfFailedRun(() => {})).toEqual([
    'The journal has no requests.',
    'If the client sent some to paths of the API, your own handler, a mock of fetch, a proxy or nock answered them, they are not below baseUrl, or MSW does not intercept the client. See "What is not intercepted" in src/integrations/README.md of understudy-api.',
  ])
})

test.each([
  ['/v1/projects/1/annotations/?key=1', '/api/projects/1/annotations/'],
  ['/projects/1/annotations/5', '/api/projects/1/annotations/5'],
  ['/v1/api/projects/', '/api/projects/, or baseUrl https://app.example.com/v1'],
  ['/api/projects/', 'baseUrl https://app.example.com', '/v1'],
  ['/api/v1/projects/', '/api/projects/'],
  ['/API/projects/', '/api/projects/'],
  ['/api/project/1/annotation/', '/api/projects/1/annotations/'],
  ['/api/v1/project/1/annotation/', '/api/projects/1/annotations/'],
  ['/api/annotations/5', '/api/projects/:project_id/annotations/5'],
  ['/api/projects//annotations/', '/api/projects/:project_id/annotations/'],
  ['/api/projects/1/annotations//', '/api/projects/1/annotations/:id/'],
  // Paths of other services
  ['/api/users/', null],
  ['/v1/project/1/annotation/', null],
])('the path %s, which the API lacks, gets a hint: %s', async (target, meant, baseUrl = '*') => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  const url = new URL(target, 'https://app.example.com')

  await withSimulator({ baseUrl }, () => fetch(url)).catch(() => {})

  const [first] = printed.mock.calls.map(([text]) => String(text).split('. ').slice(0, 2))
  const hint = `The simulator has no operation at ${url.origin}${url.pathname}`
  expect(first?.includes(hint)).toBe(meant !== null)
  if (meant !== null) expect(first).toEqual([hint, `Did you mean ${meant}?`])
})

test('requests to other APIs go through to this machine, and fail elsewhere', async () => {
  const url = await startHttpServer((_, response) => response.end('mine'))
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})

  await withSimulator(async () => {
    expect(await (await fetch(url)).text()).toBe('mine')
    await expect(fetch('http://app.localhost:9/mine')).rejects.toThrow('fetch failed')
    const message =
      'No handler answers GET http://understudy.invalid/mine, so it fails. Add one with simulator.use(…).'
    const failure = { message: 'Failed to fetch', cause: expect.objectContaining({ message }) }
    await expect(fetch('http://understudy.invalid/mine?q=1')).rejects.toMatchObject(failure)
    expect(printed.mock.calls).toEqual([[message]])
  })
})

test('URLs of data and of blobs are read', async () => {
  const blob = URL.createObjectURL(new Blob(['of a blob']))
  onTestFinished(() => URL.revokeObjectURL(blob))

  const texts = await withSimulator(async () => [
    await (await fetch('data:text/plain,of data')).text(),
    await (await fetch(blob)).text(),
  ])

  expect(texts).toEqual(['of data', 'of a blob'])
})
