import { expect, test } from 'vitest'
import { createRound } from '../../../support/observe/logged-round.ts'
import type { Intercept } from '../../../support/observe/logged-server.ts'
import { htmlPage } from '../../../support/observe/odd-server.ts'

const annotations = '/api/projects/@current/annotations/'
const plugins = '/api/organizations/@current/plugins/'

/** Answers requests with these statuses in turn, and leaves later ones to the server. */
function toEach(wanted: RegExp, ...statuses: readonly number[]): Intercept {
  const left = [...statuses]
  return (method, path) => {
    const status = wanted.test(`${method} ${path}`) ? left.shift() : undefined
    return status === undefined ? null : htmlPage(status)
  }
}

const leftAnnotation = `An annotation could not be removed. Remove it with PATCH ${annotations}9/ with {"deleted": true}.`
const leftPlugin = `A plugin could not be removed. Remove it with DELETE ${plugins}25/.`

test.each([
  ['annotation', [], [200], []],
  ['annotation', [404, 404], [404, 404], []],
  ['annotation', [500], [500, 200], []],
  ['annotation', [202, 201, 403], [202, 201, 403], [leftAnnotation]],
  ['plugin', [], [204], []],
  ['plugin', [404], [404], []],
  ['plugin', [500, 404], [500, 404], []],
  ['plugin', [200, 403, 500], [200, 403, 500], [leftPlugin]],
] as const)(
  'an own %s whose removal is answered with %j gets the requests %j',
  async (kind, statuses, sent, left) => {
    const { round, own, takeSent } = createRound(toEach(/^(PATCH|DELETE)/, ...statuses))
    await own[kind](round)
    takeSent()

    expect(await own.cleanUp()).toEqual(left)

    const request =
      kind === 'plugin' ? `DELETE ${plugins}25/` : `PATCH ${annotations}9/ {"deleted":true}`
    expect(takeSent()).toEqual(sent.map((status) => `${request} → ${status}`))
  },
)

test('a second attempt for a row comes after the first one for each other row', async () => {
  const { round, own, takeSent } = createRound(
    toEach(/^PATCH .*annotations|^DELETE/, 500, 502, 503),
  )
  await own.annotation(round)
  await own.globalPlugin(round)
  takeSent()

  expect(await own.cleanUp()).toEqual([])

  expect(takeSent()).toEqual([
    `PATCH ${annotations}9/ {"deleted":true} → 500`,
    `PATCH ${plugins}25/ {"is_global":false} → 200`,
    `DELETE ${plugins}25/ → 502`,
    `PATCH ${annotations}9/ {"deleted":true} → 503`,
    `PATCH ${plugins}25/ {"is_global":false} → 200`,
    `DELETE ${plugins}25/ → 204`,
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
  ])
})

test('a plugin that was not made global is removed as a global one', async () => {
  const { round, own, takeSent } = createRound(toEach(/^PATCH/, 400))
  await own.globalPlugin(round).catch(() => {})
  takeSent()

  expect(await own.cleanUp()).toEqual([])

  expect(takeSent()).toEqual([
    `PATCH ${plugins}25/ {"is_global":false} → 200`,
    `DELETE ${plugins}25/ → 204`,
  ])
})

/** Answers creations with a failure, and lists with these rows. */
const toLists =
  (count: number, ...results: readonly unknown[]): Intercept =>
  (method) => {
    if (method === 'POST') return htmlPage(504)
    return method === 'GET' ? Response.json({ count, results }) : null
  }

test.each([
  [1, ['offset=0']],
  [100, ['offset=0']],
  [101, ['offset=0', 'offset=1']],
  [250, ['offset=0', 'offset=150']],
])(
  'of %i rows that may contain an unconfirmed one, the pages with %j are read',
  async (count, pages) => {
    const { round, own, takeSent } = createRound(toLists(count))
    await own.annotation(round).catch(() => {})
    await own.createPlugin(round, 'url').catch(() => {})
    takeSent()

    expect(await own.cleanUp()).toEqual([])

    expect(takeSent()).toEqual([
      ...pages.map((page) => `GET ${annotations}?limit=100&${page}&search=k2j4 → 200`),
      ...pages.map((page) => `GET ${plugins}?limit=100&${page} → 200`),
    ])
  },
)

test('of the listed rows, those with the marker are removed', async () => {
  const rows = [
    { id: 3, content: 'a k2j4 b' },
    { id: 4, content: 'a k2j b', deleted: false },
    { id: 5, content: 'k2j4', deleted: true },
    null,
    { id: 6, description: 'k2j4' },
    { id: 7, name: 'k2j4' },
    { id: 8, url: 'k2j4' },
    { id: 3, content: 'a k2j4 b' },
    { id: 10, content: null, other: 'k2j4' },
  ]
  const { round, own, takeSent } = createRound(toLists(9, ...rows))
  await own.createPlugin(round, 'url').catch(() => {})
  takeSent()

  expect(await own.cleanUp()).toEqual([])

  expect(takeSent()).toEqual([
    `GET ${plugins}?limit=100&offset=0 → 200`,
    ...[3, 6, 7, 8].map((id) => `DELETE ${plugins}${id}/ → 404`),
  ])
})

test('a row that is known to exist is listed among the unconfirmed ones, and removed once', async () => {
  const { round, own, takeSent } = createRound((method, path) =>
    method === 'POST' && path.includes('annotations') ? { lost: htmlPage(504) } : null,
  )
  await own.annotation(round).catch(() => {})
  own.restored(9)
  await own.globalPlugin(round)
  takeSent()

  expect(await own.cleanUp()).toEqual([])

  expect(takeSent()).toEqual([
    `GET ${annotations}?limit=100&offset=0&search=k2j4 → 200`,
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
    `PATCH ${plugins}25/ {"is_global":false} → 200`,
    `DELETE ${plugins}25/ → 204`,
  ])
})

test('a list that fails three times leaves a row whose creation was not confirmed', async () => {
  const { round, own, takeSent } = createRound((method) => {
    if (method === 'POST') return htmlPage(504)
    return method === 'GET' ? htmlPage(502) : null
  })
  await own.annotation(round).catch(() => {})
  await own.createPlugin(round, 'url').catch(() => {})
  takeSent()

  const search = 'for a text that starts with "understudy observe k2j4".'
  expect(await own.cleanUp()).toEqual([
    `An annotation may be left, because the server did not confirm it. Look in GET ${annotations} ${search}`,
    `A plugin may be left, because the server did not confirm it. Look in GET ${plugins} ${search}`,
  ])
  expect(takeSent()).toEqual([
    ...Array(3).fill(`GET ${annotations}?limit=100&offset=0&search=k2j4 → 502`),
    ...Array(3).fill(`GET ${plugins}?limit=100&offset=0 → 502`),
  ])
})

test('a list that fails twice still shows a row whose creation was not confirmed', async () => {
  let isLost = true
  const fail = toEach(/^GET/, 502, 502)
  const { round, own, takeSent } = createRound((method, ...request) => {
    if (method !== 'POST') return fail(method, ...request)
    isLost = !isLost
    return isLost ? null : { lost: htmlPage(504) }
  })
  await own.annotation(round).catch(() => {})
  takeSent()

  expect(await own.cleanUp()).toEqual([])

  const list = `GET ${annotations}?limit=100&offset=0&search=k2j4`
  expect(takeSent()).toEqual([
    `${list} → 502`,
    `${list} → 502`,
    `${list} → 200`,
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
  ])
})
