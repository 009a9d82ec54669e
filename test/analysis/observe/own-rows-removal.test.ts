import { expect, test } from 'vitest'
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
