import { expect, test } from 'vitest'
import { allKeys } from '../../../support/observe/hidden-server.ts'
import { observeProbe } from '../../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const { all = '', old = '' } = allKeys
const error = (status: number): Response =>
  Response.json({ type: 'a', code: 'b', detail: 'No.', attr: null }, { status })
const to =
  (wanted: string, path: RegExp, other: () => Response): Change =>
  (response, method, actual) =>
    method === wanted && path.test(actual) ? other() : response
const list = /annotations\/$/

const noLink = 'A page behind the last row has no link to the previous page.'
const noLimit = 'The link to the previous page has no limit.'
const link = (query: string) => `http://localhost/?${query}`

test.each([
  [{ previous: link('limit=7&offset=1') }, '7'],
  [{ previous: link('limit=100000') }, 'none'],
  [{ previous: link('limit=999999999999999') }, '999999999999999'],
  [{ previous: link('limit=9999999999999999') }, noLimit],
  [{ previous: link('limit=x7') }, noLimit],
  [{ previous: link('limit=7x') }, noLimit],
  [{ previous: link('limit=') }, noLimit],
  [{ previous: link('offset=1') }, noLimit],
  [{ previous: '/?limit=7' }, noLink],
  [{ previous: null, next: link('limit=7') }, noLink],
  [[], noLink],
])('the page %j behind the last row has the limit: %s', async (body, limit) => {
  const change = to('GET', list, () => Response.json(body))

  expect(await observeProbe('lists.limit.maximum', { change })).toBe(limit)
})

test('a page behind the last row that is refused has no limit', async () => {
  const change = to('GET', list, () => error(400))

  expect(await observeProbe('lists.limit.maximum', { change })).toBe(
    'The status was 400, and the values would show as 200.',
  )
})

const hiddenLimit = 'The default is not below the maximum, which hides it.'

test.each([
  ['none', 7],
  ['8', 7],
  ['7', hiddenLimit],
  ['6', hiddenLimit],
  [undefined, hiddenLimit],
])('with the maximum %s, a list shows its default of 7 or not', async (maximum, value) => {
  const change = to('GET', list, () => Response.json({ previous: link('limit=7') }))
  const found = maximum === undefined ? {} : { 'lists.limit.maximum': maximum }

  expect(await observeProbe('annotations.list.limit.default', { change, found })).toBe(value)
})

test.each([
  ['projects.list.limit.default', { all, old }, 'refused', 100],
  [
    'projects.list.limit.default',
    { all },
    'refused',
    'The status was 403, and the values would show as 200.',
  ],
  ['projects.list.limit.default', { all: old, old: 'phx_nobody' }, 'any_key', 100],
  ['plugins.list.limit.default', { all, old: 'phx_nobody' }, 'refused', 100],
] as const)(
  '%s is read with the keys %j, of which a server %s some',
  async (id, keys, scope, value) => {
    const found = { 'lists.limit.maximum': 'none', 'projects.list.scope': scope } as const
    const policies = { 'projects.list.scope': 'refused' } as const

    expect(await observeProbe(id, { keys, found, policies })).toBe(value)
  },
)
