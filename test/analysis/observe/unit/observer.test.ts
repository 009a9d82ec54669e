import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { Observer, type ObserverOptions } from '../../../../src/analysis/observe/observer.ts'
import { type Answer, paths } from '../../../../src/analysis/observe/requests.ts'
import { tryParseJson } from '../../../../src/utils/json.ts'
import { htmlPage } from '../../../support/observe/odd-server.ts'

/** An observer whose server gives one response to the list of projects, and another one to all else. */
function createObserver(
  projects: () => Response,
  {
    other = () => Response.json({}),
    ...options
  }: Partial<ObserverOptions> & { other?: () => Response } = {},
) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const observer = new Observer({
    url: 'http://localhost/base//',
    async send(url, init) {
      sent.push({ url, init })
      return url.includes('/api/projects/?') ? projects() : other()
    },
    keys: parseKeys({ old: 'key-old', 'project:read': 'key-project', all: 'key-all' }),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 20,
    wait: async () => {},
    allowWrites: true,
    marker: 'k2j4',
    ...options,
  })
  return { observer, sent }
}

const page =
  (...results: readonly unknown[]) =>
  () =>
    Response.json({ count: 1, results })
const acme = { id: 1, organization: 'acme' }
const initech = { id: 2, organization: 'initech' }

test.each([
  [[acme, initech], {}, ['1', 'acme', 'initech']],
  [[null, { organization: 'nowhere' }, acme], {}, ['1', 'acme', null]],
  [[acme, initech], { project: '2' }, ['2', 'initech', 'acme']],
  [[acme, initech], { project: '7' }, ['7', 'acme', 'initech']],
  [[acme, initech], { organization: 'initech' }, ['1', 'initech', 'acme']],
  [[], {}, ['@current', '@current', null]],
  [[], { project: '7', organization: 'acme' }, ['7', 'acme', null]],
] as const)('of the projects %j, the options %j select %j', async (rows, options, selected) => {
  const { observer } = createObserver(page(...rows), options)

  await observer.locate()

  const { project, organization, otherOrganization } = observer
  expect([project, organization, otherOrganization]).toEqual(selected)
})

test.each([
  [200, ['key-all']],
  [403, ['key-all', 'key-old', 'key-project']],
  [404, ['key-all', 'key-old', 'key-project']],
  [401, ['key-all']],
  [500, ['key-all']],
])('if the list of projects returns %i, the keys %j are tried', async (status, keys) => {
  const { observer, sent } = createObserver(() => Response.json({ results: [acme] }, { status }))

  await observer.locate()

  expect(observer.project).toBe(status === 200 ? '1' : '@current')
  expect(observer.refusalOf(paths.annotations, answer(404, ''))).toBe(
    status === 200 ? 'The server has no project for this key.' : 'The server is not this API.',
  )
  const used = sent.map(({ init }) => new Headers(init.headers).get('authorization'))
  expect(used).toEqual(keys.map((key) => `Bearer ${key}`))
})

const answer = (status: number, text: string): Answer => ({
  status,
  headers: new Headers(),
  text,
  body: tryParseJson(text)?.value,
})
const error = '{"detail":"No."}'
const whole = '{"type":"a","code":"b","detail":"No.","attr":null}'

test.each([
  ['annotations', 200, '{"results":[]}', {}, null],
  ['annotations', 500, '', {}, null],
  ['annotations', 200, '{}', {}, 'The server is not this API.'],
  ['annotations', 401, error, {}, 'The key was refused (401).'],
  ['annotations', 403, error, {}, 'The key was refused (403).'],
  ['annotations', 403, error, { project: '7' }, 'The key was refused for the project 7 (403).'],
  ['plugins', 403, error, { project: '7' }, 'The key was refused for the project 7 (403).'],
  [
    'plugins',
    403,
    error,
    { project: '7', organization: 'acme' },
    'The key was refused for the organization acme (403).',
  ],
  ['annotations', 403, error, { organization: 'acme' }, 'The key was refused (403).'],
  ['annotations', 404, error, {}, 'The server has no project for this key.'],
  ['annotations', 404, '', { project: '7' }, 'The server has no project 7.'],
  ['annotations', 404, '{"results":[]}', {}, 'The server has no project for this key.'],
  ['plugins', 404, error, { organization: 'acme' }, 'The server has no organization acme.'],
  ['annotations', 418, error, {}, 'The server is not this API.'],
] as const)(
  'the list of %s with %i %s and %j: %s',
  async (list, status, text, options, refusal) => {
    const { observer } = createObserver(page(acme), options)
    await observer.locate()

    expect(observer.refusalOf(paths[list], answer(status, text))).toBe(refusal)
  },
)

test.each([
  [404, '<h1>Not found</h1>', 'The server is not this API.'],
  [404, '', 'The server is not this API.'],
  [404, error, 'The server has no project 7.'],
  [404, whole, 'The server has no project 7.'],
  [404, `[${whole}]`, 'The server has no project 7.'],
  [403, error, 'The key was refused (403).'],
] as const)('without a list of projects, %i %s: %s', (status, text, refusal) => {
  const { observer } = createObserver(page(), { project: '7' })

  expect(observer.refusalOf(paths.annotations, answer(status, text))).toBe(refusal)
})

test('a request has its key, its parameters and its body', async () => {
  const { observer, sent } = createObserver(page(acme), {
    project: 'a/b',
    organization: '@current',
  })
  await observer.locate()
  const query = { limit: 2, search: 'a b' }

  await observer.request(paths.annotation, { id: 7, key: 'typed', query })
  await observer.request(paths.plugins, { method: 'POST', key: observer.keys.for('*'), body: null })
  await observer.request(paths.plugins, { method: 'POST', raw: '{', headers: { accept: '*/*' } })

  const requests = sent.slice(1).map(({ url, init }) => {
    const { method, headers, body } = init
    return [method, url, headers, body]
  })
  expect(requests).toEqual([
    [
      'GET',
      'http://localhost/base/api/projects/a%2Fb/annotations/7/?limit=2&search=a+b',
      { accept: 'application/json', authorization: 'Bearer typed' },
      undefined,
    ],
    [
      'POST',
      'http://localhost/base/api/organizations/@current/plugins/',
      {
        accept: 'application/json',
        authorization: 'Bearer key-all',
        'content-type': 'application/json',
      },
      'null',
    ],
    ['POST', 'http://localhost/base/api/organizations/@current/plugins/', { accept: '*/*' }, '{'],
  ])
})

test.each([
  [() => Response.json({}), [true, 1]],
  [() => new Response(null, { status: 204 }), [true, 0]],
  [() => htmlPage(200), [true, 0]],
  [() => Response.json({}, { status: 302 }), [false, 0]],
  [() => Response.json({}, { status: 404 }), [false, 0]],
])(
  'a success shows that the key works, and JSON that the server does: %s',
  async (other, expected) => {
    const { observer } = createObserver(page(), { other })
    const key = observer.keys.for('*')

    await observer.request(paths.plugins, { key: key.value })
    expect(observer.isWorking(key)).toBe(false)
    observer.lastSuccess = 0
    observer.sender.count = 0
    await observer.request(paths.plugins, { key })

    expect([observer.isWorking(key), observer.lastSuccess]).toEqual(expected)
  },
)

test.each([
  [answer(204, ''), null],
  [answer(200, '{}'), null],
  [answer(404, error), null],
  [answer(200, 'null'), 'A response with 200 was not JSON.'],
  [answer(200, '"text"'), 'A response with 200 was not JSON.'],
  [answer(302, ''), 'The server redirects (302).'],
  [answer(500, error), 'The server failed with 500.'],
  [answer(404, ''), 'A response with 404 had another form than the errors of this server.'],
])('a response %j that shows nothing is named', (received, reason) => {
  const { observer } = createObserver(page())
  observer.errorForms.add('detail')

  const check = () => observer.checkForm(received)

  if (reason === null) expect(check()).toBe(received)
  else expect(check).toThrow(expect.objectContaining({ reason }))
})
