import { expect, test } from 'vitest'
import { spendRequests } from '../support/api/rate-limit.ts'
import { start } from '../support/transports/start.ts'
import type { Sent, Setting } from './suggest.ts'

const annotations = '/api/projects/1/annotations/'
const plugins = '/api/organizations/@current/plugins/'
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const jsonType = { 'content-type': 'application/json' }
const live = { profile: 'live' } as const
const currentOff = { settings: { 'paths.current': 'off' } } as const
const reading = { key: 'phx_annotation_read' }

type Refusal = [
  title: string,
  sent: Sent,
  status: number,
  /** Each setting with its value */
  decided: readonly string[],
  options?: Setting,
]

test.each<Refusal>([
  ['PUT', ['PUT', `${annotations}1/`, { body: { content: 'x' } }], 405, ['methods.put=off']],
  [
    'PATCH on a list of annotations with a key that only reads',
    ['PATCH', annotations, { ...reading, body: {} }],
    403,
    ['methods.undocumented=refused_to_scoped_keys'],
    live,
  ],
  [
    'PUT on a missing row',
    ['PUT', `${annotations}999/`, { body: {} }],
    405,
    ['methods.put=off', 'methods.undocumented=405'],
  ],
  [
    '@current as a project',
    ['GET', '/api/projects/@current/annotations/'],
    404,
    ['paths.current=off'],
    currentOff,
  ],
  [
    'a form',
    ['POST', annotations, { headers: formType, raw: 'content=x' }],
    415,
    ['bodies.form=refused'],
  ],
  ['DELETE', ['DELETE', `${annotations}1/`], 405, ['annotations.delete.status=405']],
  ['no key', ['GET', annotations, { key: null }], 401, ['keys.missing.status=401']],
  [
    'a key in the query',
    ['GET', `${annotations}?personal_api_key=phx_all`, { key: null }],
    401,
    ['keys.places=header'],
  ],
  [
    'a missing scope',
    ['POST', annotations, { ...reading, body: {} }],
    403,
    ['keys.insufficient.status=403'],
  ],
  [
    'reading with a write scope',
    ['GET', annotations, { key: 'phx_annotation_write' }],
    403,
    ['keys.write_implies_read=no'],
  ],
  ['a deleted row', ['GET', `${annotations}6/`], 404, ['annotations.deleted.visibility=hidden']],
  [
    'an unknown value',
    ['POST', annotations, { body: { scope: 'tag' } }],
    400,
    ['annotations.scope.values=may_2024'],
  ],
  [
    'a large body',
    ['POST', annotations, { headers: { 'content-length': '24' }, body: { content: '1234567890' } }],
    413,
    ['limits.body=10'],
    { settings: { 'limits.body': 10 } },
  ],
  // The key could be in the body, whose syntax is checked first then.
  [
    'no key, and malformed JSON',
    ['POST', annotations, { key: null, headers: jsonType, raw: '{' }],
    401,
    ['keys.missing.status=401'],
  ],
  [
    'an operation for unscoped keys in live',
    ['GET', `${plugins}unused/`],
    403,
    ['plugins.other.scope=refused'],
    live,
  ],
])('%s: the reasons begin with what decided', async (_, sent, status, decided, options = {}) => {
  const { ask, simulator } = await start(options)

  const response = await ask(...sent)

  const { settings, decided_by } = await simulator.explain(1)
  const first = settings.slice(0, decided.length)
  expect(response.status).toBe(status)
  expect(first.map(({ id, value }) => `${id}=${value}`)).toEqual(decided)
  expect(decided_by).toMatchObject({ id: first[0]?.id })
})

test('what decided is found in the rows as they were when the request was refused', async () => {
  const { ask, simulator } = await start()
  const { annotations: rows } = simulator.world
  const decided = async (id: number) => (await simulator.explain(id)).decided_by?.id

  await ask('GET', `${annotations}6/`)
  await ask('GET', `${annotations}9/`)
  rows.update(6, { deleted: false })
  rows.update(2, { content: 'Written since' })
  const { id } = rows.add({ content: 'Added since', deleted: true, project: 1 })
  rows.delete(1)
  simulator.keys.revoke('phx_all')

  expect(id).toBe(9)
  expect(await decided(1)).toBe('annotations.deleted.visibility')
  expect(await decided(2)).not.toBe('annotations.deleted.visibility')
})

test('no setting decides if the rows of that time are no longer known', async () => {
  const { ask, simulator } = await start()
  await ask('GET', `${annotations}6/`)

  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  expect((await simulator.explain(1)).decided_by?.id).not.toBe('annotations.deleted.visibility')
})

test('a request over the rate limit names the limit', async () => {
  const { ask, simulator } = await start({ settings: { 'limits.rate': '480_per_minute' } })
  spendRequests(simulator, 'phx_all', 479)
  await ask('GET', annotations)
  await ask('GET', annotations)

  expect((await simulator.explain(2)).decided_by?.id).toBe('limits.rate')
})

test('finding what decided changes neither rows nor journal', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotations, { raw: 'content=x', headers: formType })
  const [world, journal] = [simulator.world.toJSON(), simulator.journal.find()]

  const first = await simulator.explain(1)

  expect(first.decided_by?.id).toBe('bodies.form')
  expect(await simulator.explain(1)).toEqual(first)
  expect(simulator.world.toJSON()).toEqual(world)
  expect(simulator.journal.find()).toEqual(journal)
})
