import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath, initech } from '../../../support/api/paths.ts'
import { twoOrganizations } from '../../../support/api/two-organizations.ts'
import { correct, plain } from '../correct.ts'

const simulator = createSimulator({ world: twoOrganizations })
const plugins = `/api/organizations/${acme}/plugins`
const body = { content: 'x' }

test.each([
  ['DELETE', '/api/projects/1/annotations/1/', undefined, ['PATCH {"deleted":true}']],
  ['DELETE', '/api/projects/1/annotations/1/', body, ['PATCH {"deleted":true}']],
  ['DELETE', annotationsPath, undefined, ['GET']],
  ['DELETE', annotationsPath, body, ['POST {"content":"x"}', 'GET']],
  ['PATCH', annotationsPath, undefined, ['GET']],
  ['PATCH', annotationsPath, body, ['POST {"content":"x"}', 'GET']],
  ['PUT', `${annotationsPath}1/`, undefined, ['GET']],
  ['PUT', `${annotationsPath}1/`, body, ['PATCH {"content":"x"}', 'GET']],
  ['POST', `${annotationsPath}1/`, body, ['PATCH {"content":"x"}', 'GET']],
  ['POST', '/api/projects/', body, ['GET']],
  ['GET', `${plugins}/21/upgrade/`, undefined, ['POST']],
  ['PATCH', `${plugins}/21/upgrade/`, body, ['POST {"content":"x"}']],
  ['POST', `${plugins}/21/update_source/`, undefined, ['PATCH']],
  ['GET', annotationsPath, undefined, []],
  ['PATCH', `${annotationsPath}1/`, body, []],
  ['OPTIONS', annotationsPath, undefined, []],
  ['DELETE', '/api/unknown/', undefined, []],
])('%s %s with the body %j becomes %j', (method, path, sent, expected) => {
  const request = plain(method, path, { body: sent, query: 'a=1' })

  const corrections = correct(request, { code: 'method_not_allowed' }, simulator)

  expect([...new Set(corrections)]).toEqual(
    expected.map((each) => {
      const [other, ...rest] = each.split(' ')
      return [other, path, '?a=1 (phx_all)', ...rest].join(' ')
    }),
  )
})

const acmePlugins = (rest = '') => `/api/organizations/${acme}/plugins/${rest}`
const initechPlugins = (rest = '') => `/api/organizations/${initech}/plugins/${rest}`
const inProject = (project: number, rest = '') => `/api/projects/${project}/annotations/${rest}`

test.each([
  ['a list', 'phx_all', inProject(9), [inProject(1), inProject(2)]],
  ['a list', 'phx_noor', inProject(9), [inProject(1), inProject(2), inProject(3)]],
  ['a list', 'phx_gone', inProject(9), []],
  ['a list', null, inProject(9), []],
  [
    'a row of another project',
    'phx_noor',
    inProject(9, '21'),
    [
      inProject(3, '21/'),
      inProject(3, '22/'),
      inProject(1, '21/'),
      inProject(1, '5/'),
      inProject(2, '21/'),
      inProject(2, '7/'),
    ],
  ],
  [
    'a row of the project itself',
    'phx_all',
    inProject(2, '1'),
    [inProject(1, '1/'), inProject(1, '5/'), inProject(2, '1/'), inProject(2, '7/')],
  ],
  [
    'an unknown row',
    'phx_all',
    inProject(1, '999'),
    [inProject(1, '999/'), inProject(1, '5/'), inProject(2, '999/'), inProject(2, '7/')],
  ],
  ['a list', 'phx_all', '/api/organizations/unknown/plugins/unused/', [acmePlugins('unused/')]],
  ['a list', 'phx_noor', '/api/organizations/unknown/plugins/', [acmePlugins(), initechPlugins()]],
  [
    'a row, in an organization without rows',
    'phx_noor',
    '/api/organizations/unknown/plugins/7/source/',
    [acmePlugins('7/source/'), acmePlugins('21/source/'), initechPlugins('7/source/')],
  ],
  ['no operation', 'phx_all', '/api/unknown/', []],
] as const)(
  '%s that %s cannot find at %s is looked for elsewhere',
  (_title, key, path, expected) => {
    const request = plain('GET', path, { key, query: 'limit=1&search=x&format=json' })

    const corrections = correct(request, { code: 'not_found' }, simulator)

    expect(corrections).toEqual([
      `GET ${path} ?limit=1 (${key})`,
      ...expected.map((other) => `GET ${other} ?limit=1&search=x&format=json (${key})`),
    ])
  },
)

test.each([
  ['/api/projects/1/annotations.json', '/api/projects/1/annotations'],
  ['/api/projects/1/annotations/.json/', '/api/projects/1/annotations/'],
  ['/api/projects/1/annotations.json/', '/api/projects/1/annotations/'],
  ['/api/projects/1/annotations.j-son', '/api/projects/1/annotations.j-son'],
  ['/api/v1.0/annotations', '/api/v1.0/annotations'],
])('the suffix of %s is left out: %s', (path, expected) => {
  const [first] = correct(plain('GET', path), { code: 'no_route' }, simulator)

  expect(first).toBe(`GET ${expected} (phx_all)`)
})

test.each([
  [
    plain('GET', '/api/projects/2/anotations/7', { query: 'limit=1', body }),
    [
      'GET /api/projects/2/annotations/7/ ?limit=1 (phx_all)',
      'PATCH /api/projects/2/annotations/7/ ?limit=1 (phx_all) {"content":"x"}',
      'DELETE /api/projects/2/annotations/7/ ?limit=1 (phx_all) {"content":"x"}',
    ],
  ],
  [
    plain('GET', '/api'),
    [
      'GET /api/projects/ (phx_all)',
      'GET /api/projects/1/annotations/ (phx_all)',
      'POST /api/projects/1/annotations/ (phx_all)',
    ],
  ],
  [
    plain('GET', '/api/organizations//plugin/', { prefix: '/__sandbox/a' }),
    [
      `GET /__sandbox/a/api/organizations/${acme}/plugins/ (phx_all)`,
      `POST /__sandbox/a/api/organizations/${acme}/plugins/ (phx_all)`,
      `GET /__sandbox/a/api/organizations/${acme}/plugins/1/ (phx_all)`,
    ],
  ],
] as const)('the nearest operations of the unknown path %#', (request, expected) => {
  const corrections = correct(request, { code: 'no_route' }, simulator)

  expect(corrections.slice(1)).toEqual(expected)
})

test.each([
  [[], '1'],
  [[{ id: 7, organization: initech, name: 'Shop' }], '7'],
])('a missing project becomes the first one of the world: %j', (projects, id) => {
  const organizations = [{ id: initech, name: 'Initech' }]
  const other = createSimulator({ world: { organizations, projects } })

  const corrections = correct(plain('GET', '/api/projects//note'), { code: 'no_route' }, other)

  expect(corrections).toEqual([
    'GET /api/projects//note (phx_all)',
    'GET /api/projects/ (phx_all)',
    `GET /api/projects/${id}/annotations/ (phx_all)`,
    `POST /api/projects/${id}/annotations/ (phx_all)`,
  ])
})
