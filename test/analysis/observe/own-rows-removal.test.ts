import { expect, test } from 'vitest'
import { ownRows } from '../../support/observe/check-recovery.ts'
import { createRound } from '../../support/observe/logged-round.ts'
import type { Intercept } from '../../support/observe/logged-server.ts'
import { htmlPage } from '../../support/observe/odd-server.ts'

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
  ['annotation', [404, 404], [404, 404, 200], []],
  ['annotation', [500], [500, 200], []],
  ['annotation', [202, 201, 403], [202, 201, 403, 200], []],
  ['annotation', Array(6).fill(403), Array(6).fill(403), [leftAnnotation]],
  ['plugin', [], [204], []],
  ['plugin', [404], [404, 204], []],
  ['plugin', [500, 404], [500, 404, 204], []],
  ['plugin', [200, 403, 500, 200, 403, 500], [200, 403, 500, 200, 403, 500], [leftPlugin]],
] as const)(
  'an own %s whose removal is answered with %j gets the requests %j, until no list has it',
  async (kind, statuses, sent, left) => {
    const { round, own, takeSent } = createRound(toEach(/^(PATCH|DELETE)/, ...statuses))
    await own[kind](round)
    takeSent()

    expect(await own.cleanUp()).toEqual(left)

    const request =
      kind === 'plugin' ? `DELETE ${plugins}25/` : `PATCH ${annotations}9/ {"deleted":true}`
    const removals = takeSent().filter((line) => !line.startsWith('GET'))
    expect(removals).toEqual(sent.map((status) => `${request} → ${status}`))
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
    `GET ${annotations}?limit=100&offset=0&search=k2j4 → 200`,
    `GET ${plugins}?limit=100&offset=0 → 200`,
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
    `PATCH ${plugins}25/ {"is_global":false} → 200`,
    `DELETE ${plugins}25/ → 204`,
    `GET ${annotations}?limit=100&offset=0&search=k2j4 → 200`,
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
    `GET ${annotations}?limit=100&offset=0&search=k2j4 → 200`,
    `GET ${plugins}?limit=100&offset=0 → 200`,
  ])
})

const stranger = '{"id":1,"content":"of another user","deleted":false}'

test.each([
  ['returns the row of another user', stranger],
  [
    'returns the id of another row',
    '{"id":1,"content":"understudy observe k2j4 1","deleted":false}',
  ],
])('no row of another user is changed if POST %s', async (_title, text) => {
  const { round, own, simulator } = createRound((method, path) =>
    method === 'POST' && path.includes('annotations')
      ? {
          lost: new Response(text, {
            status: 201,
            headers: { 'content-type': 'application/json' },
          }),
        }
      : null,
  )
  const before = simulator.world.annotations.get(1)

  const failure = await own.annotation(round).catch((error) => error)
  const left = await own.cleanUp()

  expect(failure).toEqual({ reason: expect.any(String) })
  expect(simulator.world.annotations.get(1)).toEqual(before)
  expect(left).toEqual([])
  expect(ownRows(simulator)).toEqual([])
})

test('a row whose creation was refused, and that exists, is removed', async () => {
  const refusal = { type: 'a', code: 'b', detail: 'No.', attr: null }
  const { round, own, simulator } = createRound((method) =>
    method === 'POST' ? { lost: Response.json(refusal, { status: 400 }) } : null,
  )
  await own.annotation(round).catch(() => {})

  const left = await own.cleanUp()

  expect(left).toEqual([])
  expect(ownRows(simulator)).toEqual([])
})

test('an unconfirmed plugin is found in the last page of a long list', async () => {
  const { round, own, simulator } = createRound((method, path) =>
    method === 'POST' && path.includes('plugins') ? { lost: htmlPage(504) } : null,
  )
  for (let index = 0; index < 100; index += 1) simulator.world.plugins.create()
  await own.createPlugin(round, 'url').catch(() => {})

  const left = await own.cleanUp()

  expect(left).toEqual([])
  expect(ownRows(simulator)).toEqual([])
})
