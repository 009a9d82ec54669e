import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { Observer, type ObserverOptions } from '../../../../src/analysis/observe/observer.ts'
import { type Answer, paths } from '../../../../src/analysis/observe/requests.ts'
import { tryParseJson } from '../../../../src/utils/foreign-json.ts'

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

const answer = (status: number, text: string): Answer => ({
  status,
  headers: new Headers(),
  text,
  body: tryParseJson(text)?.value,
})
/** The list of the project that the server lists */
const annotations = '/api/projects/1/annotations/'
const error = '{"detail":"No."}'

test.each([
  ['annotations', 200, '{"results":[]}', {}, null],
  ['annotations', 500, '', {}, null],
  [
    'annotations',
    200,
    '{}',
    {},
    `The server does not respond like this API: GET ${annotations} returned 200 without a page.`,
  ],
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
  [
    'annotations',
    404,
    error,
    {},
    `The server lists a project, but GET ${annotations} returned 404.`,
  ],
  ['annotations', 404, '', { project: '7' }, 'The server has no project 7.'],
  [
    'annotations',
    404,
    '{"results":[]}',
    {},
    `The server lists a project, but GET ${annotations} returned 404.`,
  ],
  ['plugins', 404, error, { organization: 'acme' }, 'The server has no organization acme.'],
  [
    'annotations',
    418,
    error,
    {},
    `The server does not respond like this API: GET ${annotations} returned 418.`,
  ],
  ['annotations', 301, '', {}, `The server redirects: GET ${annotations} returns 301.`],
] as const)(
  'the list of %s with %i %s and %j: %s',
  async (list, status, text, options, refusal) => {
    const { observer } = createObserver(page(acme), options)
    await observer.locate()

    expect(observer.refusalOf(paths[list], answer(status, text))).toBe(refusal)
  },
)

test.each([
  [301, 'The server redirects: GET /api/projects/@current/annotations/ returns 301.'],
  [
    418,
    'The server does not respond like this API: GET /api/projects/@current/annotations/ returned 418.',
  ],
])('a status of %i is named with the refused key of the list of projects', async (status, said) => {
  const { observer } = createObserver(() => Response.json({}, { status: 401 }))
  await observer.locate()

  expect(observer.refusalOf(paths.annotations, answer(status, ''))).toBe(
    `${said} The server also refused the key for GET /api/projects/ (401). Check --key.`,
  )
})

test('a redirect is named without its query, which can have secrets', async () => {
  const { observer } = createObserver(page(acme))
  await observer.locate()
  const location = 'https://login.example.com/start?token=s3cret#code'
  const moved = { ...answer(302, ''), headers: new Headers({ location }) }

  expect(observer.refusalOf(paths.annotations, moved)).toBe(
    `The server redirects: GET ${annotations} redirects to https://login.example.com/start (302).`,
  )
})
