import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { annotationsPath } from '../../../support/api/paths.ts'
import { twoOrganizations } from '../../../support/api/two-organizations.ts'
import { correct, plain } from '../correct.ts'

const world = {
  ...twoOrganizations,
  keys: [
    { value: 'phx_noor', user: 2, scopes: ['annotation:read'] },
    { value: 'phx_full', user: 1, scopes: ['*'] },
    { value: 'phx_old', user: 1, scopes: null },
    { value: 'phx_mixed', user: 1, scopes: ['plugin:read', '*'] },
    { value: 'phx_none', user: 1, scopes: [] },
    { value: 'phx_two', user: 1, scopes: ['annotation:read', 'annotation:write'] },
    { value: 'phx_one', user: 1, scopes: ['plugin:read'] },
  ],
} as unknown as WorldJson

const failure = { code: 'authentication_failed' }

test.each([
  ['of a user', 'phx_one', 'one two none full old mixed noor'],
  ['of another user', 'phx_noor', 'noor one two none full old mixed'],
  ['of nobody', 'phx_gone', 'noor one two none full old mixed'],
  ['that is missing', null, 'noor one two none full old mixed'],
])('a key %s leads to keys of its user, those with few scopes first', (_title, key, names) => {
  const request = plain('GET', annotationsPath, { key, query: 'token=a&limit=1&api_key=b' })
  const simulator = createSimulator({ world })

  const corrections = correct(request, failure, simulator)

  const keys = names.split(' ').map((name) => `GET ${annotationsPath} ?limit=1 (phx_${name})`)
  expect(corrections).toEqual(keys)
  expect(correct(request, { code: 'not_authenticated' }, simulator)).toEqual(keys)
})

test('a missing permission leads to another method, then to keys, then to other paths', () => {
  const simulator = createSimulator({ world })
  for (const { value } of simulator.keys.list().slice(1)) simulator.keys.revoke(value)
  const request = plain('POST', `${annotationsPath}1/`, {
    key: 'phx_noor',
    body: { deleted: true },
  })

  const corrections = correct(request, { code: 'permission_denied' }, simulator)

  const annotation = `${annotationsPath}1/ (phx_noor)`
  const body = '{"deleted":true}'
  const paths = [
    '1/annotations/1',
    '1/annotations/5',
    '2/annotations/1',
    '2/annotations/7',
    '3/annotations/1',
    '3/annotations/22',
  ]
  expect(corrections).toEqual([
    `PATCH ${annotation} ${body}`,
    `PATCH ${annotation} ${body}`,
    `GET ${annotation}`,
    `POST ${annotation} ${body}`,
    ...paths.map((path) => `POST /api/projects/${path}/ (phx_noor) ${body}`),
  ])
})

test.each([
  [49, 50],
  [50, 50],
])('with %i keys before one of another user, %i are tried', (count, tried) => {
  const simulator = createSimulator({ world: { ...world, keys: [] } })
  const keys = ['phx_noor_0', ...Array.from({ length: count }, (_, index) => `phx_ada_${index}`)]
  for (const value of keys) {
    simulator.keys.issue({ value, user: value.includes('noor') ? 2 : 1, scopes: ['*'] })
  }

  const corrections = correct(
    plain('GET', annotationsPath, { key: 'phx_ada_7' }),
    failure,
    simulator,
  )

  expect(corrections).toEqual(
    [...keys.slice(1), 'phx_noor_0']
      .slice(0, tried)
      .map((key) => `GET ${annotationsPath} (${key})`),
  )
})

test('a key that selects another sandbox is tried only with the URL of a sandbox', () => {
  const simulator = createSimulator({ world })
  simulator.sandboxes.create({ keys: { phx_two: 'phx_full' } })
  const names = (prefix: string) =>
    correct(plain('GET', annotationsPath, { prefix, key: 'phx_one' }), failure, simulator)

  const others = 'one two none old mixed noor'.split(' ')
  expect(names('')).toEqual(others.map((name) => `GET ${annotationsPath} (phx_${name})`))
  expect(names('/__sandbox/sandbox-1')).toEqual(
    others
      .toSpliced(3, 0, 'full')
      .map((name) => `GET /__sandbox/sandbox-1${annotationsPath} (phx_${name})`),
  )
})
