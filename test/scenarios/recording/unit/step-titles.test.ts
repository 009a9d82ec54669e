import { expect, test } from 'vitest'
import { recordSteps } from '../../../support/scenarios/exchanges.ts'

type Input = Parameters<typeof recordSteps>[0][number]

const titlesOf = (exchanges: readonly Input[]) => recordSteps(exchanges).map(({ title }) => title)

const list = '/api/projects/1/annotations/'

const update = (deleted: boolean, received: object = { deleted }): Input => ({
  method: 'PATCH',
  url: `${list}3/`,
  sent: { content: 'Launch', deleted },
  received,
})

test('a step is titled by its operation and its outcome', () => {
  const plugin = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/2/'
  const refused = (status: number, received: object) => ({ method: 'POST', status, received })
  const scope = "API key missing required scope 'annotation:write'"

  expect(
    titlesOf([
      {},
      { url: `${list}?limit=2&offset=2` },
      { url: `${list}?offset=3` },
      { method: 'POST', status: 201, sent: { deleted: 'no' } },
      update(true),
      update(false),
      { method: 'PUT', url: `${list}3/`, status: 405 },
      { url: `${plugin}check_for_updates` },
      { url: `${list}9/`, status: 404 },
      refused(403, { detail: scope }),
      refused(403, { detail: 'You have no access to this project.' }),
      refused(401, { detail: scope }),
      refused(413, {}),
      refused(415, {}),
      refused(429, {}),
      refused(400, { code: 'invalid_choice', attr: 'scope' }),
      refused(400, { code: 'parse_error', attr: null }),
      refused(400, { code: 'Ada Lovelace' }),
      refused(503, { code: 'error' }),
      { status: 0 },
    ]),
  ).toEqual([
    'List annotations',
    'List annotations, page 2',
    'List annotations, from row 4',
    'Create annotation',
    'Update annotation: deleted',
    'Update annotation: restored',
    'Replace annotation: refused, method not allowed',
    'Check plugin for updates',
    'Retrieve annotation: not found',
    'Create annotation: refused, scope missing',
    'Create annotation: refused, permission denied',
    'Create annotation: refused, no valid key',
    'Create annotation: refused, body too large',
    'Create annotation: refused, unsupported media type',
    'Create annotation: refused, throttled',
    'Create annotation: refused, invalid choice in scope',
    'Create annotation: refused, parse error',
    'Create annotation: failed with 400',
    'Create annotation: failed with 503',
    'List annotations: connection broken',
  ])
})

test('only an update that changed it is titled as deleted or restored', () => {
  const sent = { content: 'Launch', deleted: false }

  expect(
    titlesOf([
      { method: 'POST', status: 201, sent, received: { id: 3, ...sent } },
      update(false),
      update(true, { deleted: false }),
      update(true),
      update(true),
      { ...update(false), url: `${list}4/` },
      update(false),
      update(false),
    ]),
  ).toEqual([
    'Create annotation',
    'Update annotation',
    'Update annotation',
    'Update annotation: deleted',
    'Update annotation',
    'Update annotation',
    'Update annotation: restored',
    'Update annotation',
  ])
})

test('a request to no operation has no title', () => {
  expect(
    titlesOf([{ url: '/api/elsewhere/' }, { method: 'OPTIONS' }, { method: 'PATCH', status: 405 }]),
  ).toEqual([undefined, undefined, undefined])
})

test('a repeated person becomes a matcher', () => {
  const [ada, grace] = ['Ada', 'Grace'].map((first_name) => ({
    id: first_name.length,
    first_name,
    email: `${first_name}@corp.test`,
    is_email_verified: true,
  }))
  const [first, second] = recordSteps([
    { received: { results: [{ created_by: ada }, { created_by: ada }, { created_by: null }] } },
    { received: { results: [{ created_by: ada }, { created_by: grace }] } },
  ])

  const whole = {
    id: { $match: 'id' },
    first_name: { $match: 'text' },
    email: { $match: 'text' },
    is_email_verified: true,
  }
  const repeated = { created_by: { $match: 'object' } }
  expect(first?.expect?.exact_body).toEqual({
    results: [{ created_by: whole }, repeated, { created_by: null }],
  })
  expect(second?.expect?.exact_body).toEqual({ results: [repeated, { created_by: whole }] })
})

test('a repeated person whose name is expected stays as it is', () => {
  const ada = { id: 1, first_name: 'Ada', email: 'ada@corp.test' }

  const [step] = recordSteps([{ received: [ada, ada] }], { keep: true })

  expect(step?.expect?.exact_body).toEqual([1, 2].map(() => ({ ...ada, id: { $match: 'id' } })))
})
