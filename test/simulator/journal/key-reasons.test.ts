import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import type { RequestOptions } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'

type Request = readonly [method: string, path: string, options?: RequestOptions]

interface Setting {
  readonly settings?: SettingOverrides
  readonly before?: (simulator: Simulator) => unknown
}

/** The reason for the response to a request. */
async function explain(request: Request, { settings = {}, before }: Setting = {}) {
  const { ask, simulator } = await start({ world: twoOrganizations, settings })
  await before?.(simulator)
  await ask(...request)
  return simulator.journal.find().at(-1)?.reason
}

const instead = (scheme: string) =>
  `the Authorization header has \`${scheme}\` instead of \`Bearer\``
const missing = 'the header has no `Bearer `'

test.each([
  ['Bearer', 'the Authorization header has no key after `Bearer`'],
  ['Bearer  x', 'the key in the Authorization header is too short'],
  ['BEARER', instead('BEARER')],
  ['Bearer:phx_all', missing],
  ['Digest phx_all', instead('Digest')],
  ['token phx_all', instead('token')],
  ['OAuth: phx_all', instead('OAuth:')],
  ['ApiKey phx_all', instead('ApiKey')],
  ['Api-Key phx_all', instead('Api-Key')],
  ['JWT phx_all', instead('JWT')],
  ['basically phx_all', missing],
  ['my token phx_all', missing],
  ['phx_all', `${missing} before the key \`all\``],
  ['phx_unknown', missing],
])('the header Authorization: %s is explained', async (authorization, sentence) => {
  const reason = await explain(['GET', annotationsPath, { key: null, headers: { authorization } }])

  expect(reason).toBe(`401: ${sentence}`)
})

test.each([
  ['GET', annotationsPath, {}, undefined, ''],
  ['GET', annotationsPath, { 'x-api-key': '' }, undefined, ''],
  ['GET', annotationsPath, { 'x-api-key': 'a' }, undefined, 'header x-api-key'],
  ['GET', annotationsPath, { 'api-key': 'a' }, undefined, 'header api-key'],
  ['GET', annotationsPath, { apikey: 'a' }, undefined, 'header apikey'],
  ['GET', annotationsPath, { 'x-auth-token': 'a', apikey: 'a' }, undefined, 'header apikey'],
  ['GET', `${annotationsPath}?personal_api_key`, {}, undefined, 'query'],
  ['GET', `${annotationsPath}?personal_api_key=a`, { apikey: 'a' }, undefined, 'header apikey'],
  ['POST', annotationsPath, {}, { personal_api_key: 'a' }, 'body'],
  ['POST', annotationsPath, {}, [{ personal_api_key: 'a' }], 'body'],
  ['POST', `${annotationsPath}?personal_api_key=a`, {}, { personal_api_key: 'a' }, 'query'],
] as const)(
  'a key elsewhere is not read: %s %s, %j, %j',
  async (method, path, headers, body, place) => {
    const reason = await explain([method, path, { key: null, headers: { ...headers }, body }])

    const hint = place === '' ? '' : `, and the key in the ${place} is not read`
    expect(reason).toBe(`401: the request has no Authorization header${hint}`)
  },
)

test.each([
  ['undefined', 'the key is the word `undefined`'],
  ['null', 'the key is the word `null`'],
  ['None', 'the key is the word `None`'],
  ['nil', 'the key is the word `nil`'],
  ['[object Object]', 'the key is the word `[object Object]`'],
  ['none', 'no key matches no…'],
  ['"phx_all', 'there is text around the key `all`'],
  ["phx_all'", 'there is text around the key `all`'],
  ['<<phx_all>', 'there is text around the key `all`'],
  ['BEARER  phx_all', 'there is text around the key `all`'],
  ['Bearer Bearer phx_all', 'no key matches Beare…'],
  ['xy', 'no key matches x…'],
  ['abcdefghi', 'no key matches abcd…'],
  ['abcdefghij', 'no key matches abcde…'],
  ['phx_r2_unknown', 'no key matches phx_r…'],
  ['phx_"all', 'no key matches phx_…'],
])('the key %s is explained', async (key, sentence) => {
  expect(await explain(['GET', annotationsPath, { key }])).toBe(`401: ${sentence}`)
})

test('the key of a sandbox that was deleted is explained', async () => {
  const { ask, simulator } = await start()
  const { id, key } = simulator.sandboxes.create()
  simulator.sandboxes.delete(id)

  await ask('GET', annotationsPath, { key })

  expect(simulator.journal.find()).toMatchObject([
    { reason: '401: the sandbox of the key was deleted, or has expired' },
  ])
})

test('the key of a deleted sandbox that another one had and revoked is that of no deleted one', async () => {
  const { ask, simulator } = await start()
  const keys = { all: 'phx_again' }
  simulator.sandboxes.delete(simulator.sandboxes.create({ keys }).id)
  simulator.sandboxes.get(simulator.sandboxes.create({ keys }).id)?.keys.revoke('phx_again')

  await ask('GET', annotationsPath, { key: 'phx_again' })

  expect(simulator.journal.find()).toMatchObject([{ reason: '401: no key matches phx_…' }])
})

const places = { settings: { 'keys.places': 'header_body_query' } } as const

test.each<[key: string, sentence: string, before?: Setting['before']]>([
  ['nil', 'the key is the word `nil` (in the PLACE)'],
  ['<phx_all>', 'there is text around the key `all` (in the PLACE)'],
  ['phx_unknown', 'no key matches phx_u… (in the PLACE)'],
  [
    'phx_none',
    'the key `none` was revoked, or removed by a reset',
    ({ keys }) => keys.revoke('phx_none'),
  ],
  [
    'phx_all',
    'the user of the key `all` is inactive',
    ({ world }) => world.users.update(1, { is_active: false }),
  ],
])('the key %s in the query or in a body is explained', async (key, sentence, before) => {
  const value = { ...places, before: before ?? (() => {}) }
  const inQuery = `${annotationsPath}?personal_api_key=${encodeURIComponent(key)}`

  const reasons = [
    await explain(['GET', inQuery, { key: null }], value),
    await explain(['POST', annotationsPath, { key: null, body: { personal_api_key: key } }], value),
  ]

  expect(reasons).toEqual(
    ['query string', 'body'].map((place) => `401: ${sentence.replace('PLACE', place)}`),
  )
})

const organization = `/api/organizations/${acme}/plugins/`

test.each<[title: string, row: object, path: string, sentence: string]>([
  [
    'an empty list of scopes',
    { scopes: [] },
    annotationsPath,
    'lacks the scope annotation:read (it has no scopes)',
  ],
  [
    'two scopes',
    { scopes: ['plugin:read', 'project:read'] },
    annotationsPath,
    'lacks the scope annotation:read (it has plugin:read, project:read)',
  ],
  [
    'two projects',
    { projects: [1, 2] },
    '/api/projects/3/annotations/',
    'is limited to project 1, project 2',
  ],
  [
    'a project',
    { projects: [1] },
    organization,
    'is limited to project 1, and this path has no project',
  ],
  [
    'an organization',
    { organizations: [initech] },
    organization,
    'is limited to organization Initech',
  ],
  [
    'both',
    { projects: [2], organizations: [initech] },
    annotationsPath,
    'is limited to project 2, organization Initech',
  ],
])('the permission of a key with %s is explained', async (_title, row, path, sentence) => {
  const before = ({ keys }: Simulator) =>
    keys.issue({ value: 'phx_limited', label: 'limited', scopes: ['*'], ...row })

  const settings = { 'keys.empty_scopes': 'nothing' } as const
  const reason = await explain(['GET', path, { key: 'phx_limited' }], { settings, before })

  expect(reason).toBe(`403: the key \`limited\` ${sentence}`)
})
