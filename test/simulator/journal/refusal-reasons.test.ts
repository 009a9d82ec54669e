import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import type { RequestOptions } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const json = { 'content-type': 'application/json' }

interface Setting extends RequestOptions {
  readonly settings?: SettingOverrides
  readonly before?: (simulator: Simulator) => unknown
}

/** The reason for the response to a request. */
async function explain(method: string, path: string, value: Setting = {}) {
  const { settings = {}, before, ...options } = value
  const { ask, simulator } = await start({ world: twoOrganizations, settings, onError() {} })
  await before?.(simulator)
  await ask(method, path, options)
  return simulator.journal.find().at(-1)?.reason
}

const formatOn = { 'paths.format': 'on' } as const
const noFormat = (format: string) => `404: the format \`${format}\` is not supported, only json`

test.each([
  ['annotations/?format=json&format=xml', formatOn, noFormat('xml')],
  ['annotations/?format=xml&format=json', formatOn, null],
  ['annotations.xml?format=json', formatOn, noFormat('xml')],
  ['annotations.json?format=xml', formatOn, null],
  ['annotations/?format=', formatOn, null],
  ['annotations/99/?format=json', formatOn, '404: no annotation 99 in project 1'],
  ['annotations/99/?format=xml', {}, '404: no annotation 99 in project 1'],
  [
    'annotations.xml/',
    {},
    '404: no operation has the path `/api/projects/1/annotations.xml/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got annotations.xml)',
  ],
  ['favicon.ico', {}, '404: no operation has the path `/api/projects/1/favicon.ico`'],
  [
    'annotations.x-l',
    {},
    '404: no operation has the path `/api/projects/1/annotations.x-l` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got annotations.x-l)',
  ],
])('the format of %s is explained, with %j', async (path, settings, reason) => {
  expect(await explain('GET', `/api/projects/1/${path}`, { settings })).toBe(reason)
})

test.each([
  ['null', 'null'],
  ['[]', 'a list'],
  ['"text"', 'a string'],
  ['5', 'a number'],
  ['true', 'a boolean'],
])('the body %s is explained', async (raw, kind) => {
  const reason = await explain('POST', annotationsPath, { raw, headers: json })

  expect(reason).toBe(`400: the body is ${kind}, not an object`)
})

const scopes = 'dashboard_item, project, organization'

test.each([
  [
    'POST',
    annotationsPath,
    { scope: 'organisation' },
    `body.scope: \`organisation\` is not one of ${scopes}, did you mean organization?`,
  ],
  ['POST', annotationsPath, { scope: 'x' }, `body.scope: \`x\` is not one of ${scopes}`],
  ['POST', annotationsPath, { scope: '' }, `body.scope: \`\` is not one of ${scopes}`],
  ['POST', annotationsPath, { scope: 'x'.repeat(300) }, `body.scope: \`${'x'.repeat(286)}…`],
  [
    'POST',
    annotationsPath,
    { content: 5.5, deleted: 'x' },
    'body.deleted: Must be a valid boolean',
  ],
  [
    'PATCH',
    `${plugins}21/`,
    { plugin_type: 'sorce' },
    'body.plugin_type: `sorce` is not one of local, custom, repository, source, "", did you mean source?',
  ],
])('%s %s with %j is explained', async (method, path, body, sentence) => {
  expect(await explain(method, path, { body })).toBe(`400: ${sentence}`)
})

test.each([
  [10, '10'],
  [2_000, '2,000'],
])('a body of more than %i bytes is explained', async (limit, shown) => {
  const settings = { 'limits.body': limit }

  const reason = await explain('POST', annotationsPath, { settings, body: 'x'.repeat(limit) })

  expect(reason).toBe(`413: the body has more than ${shown} bytes; send at most that many`)
})

const fromUrl = { 'plugins.create.install': 'from_url' } as const
const unexpected = '500: an unexpected exception was thrown, and passed to onError'
const crash = '500: the body has no url, without which the live service crashes'
const broken = ({ clock }: Simulator) =>
  Object.defineProperty(clock, 'iso', {
    value() {
      throw new Error('broken')
    },
  })

test.each([
  ['without a url', plugins, { body: {} }, crash],
  ['with an empty one', plugins, { body: { url: '' } }, crash],
  ['of an annotation', annotationsPath, { body: {}, before: broken }, unexpected],
  [
    'with a url',
    plugins,
    { body: { url: 'https://github.com/acme/x' }, before: broken },
    unexpected,
  ],
])('a POST that crashes is explained: %s', async (_title, path, value, reason) => {
  expect(await explain('POST', path, { ...value, settings: fromUrl })).toBe(reason)
})

const current = { 'paths.current': 'on' } as const

test.each([
  ['/api/projects/0x1/annotations/', {}, '`0x1` is not the id of a project, which is a number'],
  ['/api/projects/98/annotations/', {}, 'no project 98'],
  ['/api/projects/@current/annotations/', current, 'the user of the key has no project'],
  [
    '/api/projects/@other/annotations/',
    current,
    '`@other` is not the id of a project, which is a number',
  ],
  [
    '/api/organizations/@current/plugins/',
    { 'paths.current': 'off' },
    '`@current` is not the id of an organization, which is a UUID',
  ],
  ['/api/organizations/@current/plugins/', current, 'the user of the key has no organization'],
  ['/api/organizations/5/plugins/', {}, '`5` is not the id of an organization, which is a UUID'],
  [
    `/api/organizations/${acme.slice(0, -1)}f/plugins/`,
    {},
    `no organization ${acme.slice(0, -1)}f`,
  ],
] as const)('the parent of %s is explained', async (path, settings, sentence) => {
  const before = ({ world }: Simulator) => world.users.update(1, { organizations: [] })

  expect(await explain('GET', path, { settings, before })).toBe(`404: ${sentence}`)
})

test.each<[path: string, before: Setting['before'], sentence: string]>([
  ['2,5/', undefined, '`2,5` is not an id, which is a whole number'],
  ['98/', undefined, 'no annotation 98 in project 1'],
  ['6/', undefined, 'annotation 6 is deleted'],
  ['22/', undefined, 'no annotation 22 in project 1 (it belongs to project 3)'],
  [
    '7/',
    ({ world }) => world.annotations.update(7, { deleted: true }),
    'no annotation 7 in project 1 (it belongs to project 2)',
  ],
  [
    '7/',
    ({ world }) => world.annotations.update(7, { deleted: true, scope: 'organization' }),
    'annotation 7 is deleted',
  ],
  [
    '22/',
    ({ world }) => world.annotations.update(22, { deleted: true }),
    'no annotation 22 in project 1 (it belongs to project 3)',
  ],
])('an annotation that is not found is explained: %s', async (path, before, sentence) => {
  const reason = await explain('GET', `${annotationsPath}${path}`, { ...(before && { before }) })

  expect(reason).toBe(`404: ${sentence}`)
})

test.each<[path: string, before: Setting['before'], sentence: string]>([
  ['first/', undefined, '`first` is not an id, which is a whole number'],
  ['98/', undefined, 'no plugin 98 in organization Acme'],
  [
    '24/',
    ({ world }) => world.plugins.update(24, { organization: initech }),
    'no plugin 24 in organization Acme (it belongs to organization Initech)',
  ],
])('a plugin that is not found is explained: %s', async (path, before, sentence) => {
  const reason = await explain('GET', `${plugins}${path}`, { ...(before && { before }) })

  expect(reason).toBe(`404: ${sentence}`)
})

test.each([
  [
    'GET',
    '/api/projets/',
    ' (nearest: GET /api/projects; segment 2: expected projects, got projets)',
  ],
  ['GET', '/api/abcdefgh/', ''],
  ['GET', '/api/a.JSON/', ''],
  ['GET', '/api/users/@me/x/', ''],
  ['HEAD', '/api/users/@me/', ''],
])('an unknown path is explained: %s %s', async (method, path, hint) => {
  expect(await explain(method, path)).toBe(`404: no operation has the path \`${path}\`${hint}`)
})

test('an unknown path that a view of the live service refuses is explained by what it refuses', async () => {
  const settings = { 'paths.unknown': 'view' } as const
  const headers = { accept: 'text/html' }

  expect([
    await explain('GET', '/api/nowhere/', { settings, headers }),
    await explain('PURGE', '/api/nowhere/', { settings }),
  ]).toEqual([
    '406: the Accept header `text/html` does not allow application/json',
    '405: Method "PURGE" not allowed',
  ])
})
