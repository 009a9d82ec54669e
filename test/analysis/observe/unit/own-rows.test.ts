import { expect, test } from 'vitest'
import type { Unclear } from '../../../../src/analysis/observe/requests.ts'
import { createRound } from '../../../support/observe/logged-round.ts'
import type { Intercept } from '../../../support/observe/logged-server.ts'

const annotations = '/api/projects/@current/annotations/'
const plugins = '/api/organizations/@current/plugins/'

const content = 'understudy observe k2j4 1'
const error = { type: 'a', code: 'b', detail: 'No.', attr: null }
const toAll =
  (wanted: string, other: () => Response): Intercept =>
  (method) =>
    method === wanted ? other() : null
/** Answers the first requests of a method with a refusal, and leaves later ones to the server. */
const toFirst =
  (wanted: string, count: number): Intercept =>
  (method, _path, number) =>
    method === wanted && number <= count ? Response.json(error, { status: 400 }) : null

test('a row is created once per round, and what removes it is reserved', async () => {
  const { round, own, sender, takeSent } = createRound()
  const reserved: number[] = []
  const reserve = <Value>(value: Value): Value => {
    reserved.push(sender.reserved)
    return value
  }

  const annotation = reserve(await own.annotation(round))
  const same = reserve(await own.annotation(round))
  const deleted = reserve(await own.annotation(round, true))
  const restored = reserve(own.restored(deleted))
  const plugin = reserve(await own.plugin(round))
  const named = reserve(await own.createPlugin(round, 'name', 'url'))
  const global = reserve(await own.globalPlugin(round))
  const forgotten = reserve(own.forget('plugin', global))

  expect([annotation, same, deleted, restored, plugin, named.status, global, forgotten]).toEqual([
    ...[9, 9, 10, undefined, 25, 201, 25, undefined],
  ])
  expect(reserved).toEqual([1, 1, 1, 2, 3, 4, 5, 3])
  expect(takeSent()).toEqual([
    `POST ${annotations} {"content":"${content}","date_marker":"2001-01-01T00:00:00Z","scope":"project"} → 201`,
    `POST ${annotations} {"content":"${content} deleted","date_marker":"2001-01-01T00:00:00Z","scope":"project","deleted":true} → 201`,
    `POST ${plugins} {"plugin_type":"source","description":"${content} url","url":"https://example.com/understudy-observe-k2j4-1-url"} → 201`,
    `POST ${plugins} {"plugin_type":"source","description":"${content} name,url","name":"${content} name,url","url":"https://example.com/understudy-observe-k2j4-1-name-url"} → 201`,
    `PATCH ${plugins}25/ {"is_global":true} → 200`,
  ])
  expect(await own.cleanUp()).toEqual([])
  expect(takeSent()).toEqual([
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
    `PATCH ${annotations}10/ {"deleted":true} → 200`,
    `DELETE ${plugins}26/ → 204`,
  ])
})

test.each([
  [201, { id: 9, content, deleted: false }, 9, 1],
  [200, { id: 9, content, deleted: false }, 'Creating an annotation returned 200.', 1],
  [202, { id: 9, content, deleted: false }, 'Creating an annotation returned 202.', 3],
  [201, { content, deleted: false }, 'Creating an annotation returned 201.', 3],
  [201, { id: '9', content, deleted: false }, 'Creating an annotation returned 201.', 3],
  [
    201,
    { id: 9, content: `${content} `, deleted: false },
    'Creating an annotation returned 201.',
    1,
  ],
  [201, { id: 9, content, deleted: true }, 'An annotation was not created as sent.', 0],
  [201, null, 'A response with 201 was not JSON.', 3],
  [302, error, 'The server redirects (302).', 3],
  [400, error, 'Creating an annotation returned 400.', 0],
  [404, {}, 'A response with 404 had another form than the errors of this server.', 0],
  [499, error, 'Creating an annotation returned 499.', 0],
  [500, error, 'The server failed with 500.', 3],
])(
  'a creation that is answered with %i %j gives %s, and reserves %i',
  async (status, body, result, reserved) => {
    const { round, own, sender } = createRound(toAll('POST', () => Response.json(body, { status })))

    const id = await own.annotation(round).catch((thrown: Unclear) => thrown.reason)

    expect([id, sender.reserved]).toEqual([result, reserved])
  },
)

test('a creation that is not answered may have happened, and one that is not sent has not', async () => {
  const controller = new AbortController()
  const lost = createRound(toAll('POST', () => Response.error()))
  const { round, own, sender } = createRound(undefined, { signal: controller.signal })
  controller.abort()

  await lost.own.createPlugin(lost.round, 'url').catch(() => {})
  await own.createPlugin(round, 'url').catch(() => {})

  expect([lost.sender.reserved, lost.sender.count]).toEqual([3, 1])
  expect([await own.cleanUp(), sender.count]).toEqual([[], 0])
})

test('a plugin is created with the first fields that the server accepts', async () => {
  const { round, own, sender, takeSent } = createRound(toFirst('POST', 2))
  const refused = createRound(toAll('POST', () => Response.json(error, { status: 400 })))
  const empty = createRound(toAll('POST', () => Response.json({}, { status: 201 })))

  expect(await own.plugin(round)).toBe(25)
  expect(takeSent().map((line) => /"(name|url)".*/.exec(line)?.[0])).toEqual([
    '"url":"https://example.com/understudy-observe-k2j4-1-url"} → 400',
    `"name":"${content} name"} → 400`,
    `"name":"${content} name,url","url":"https://example.com/understudy-observe-k2j4-1-name-url"} → 201`,
  ])
  expect(sender.reserved).toBe(1)
  const reason = 'The server creates no plugin with this key.'
  await expect(refused.own.plugin(refused.round)).rejects.toEqual({ reason })
  await expect(empty.own.plugin(empty.round)).rejects.toEqual({ reason })
  expect([refused.sender.reserved, empty.sender.reserved]).toEqual([0, 5])
})

test.each([
  [400, 400],
  [500, 500],
  [502, 'The server failed with 502.'],
])('the answer %i to a plugin without a url is: %s', async (status, result) => {
  const refuse = () => Response.json(error, { status })
  const { round, own, takeSent } = createRound(toAll('POST', refuse))

  const answered = await own.createWithoutUrl(round).then(
    (answer) => answer.status,
    ({ reason }: Unclear) => reason,
  )

  expect(answered).toBe(result)
  expect(takeSent()).toEqual([
    `POST ${plugins} {"name":"${content} without url","description":"${content} without url"} → ${status}`,
  ])
})

test('without leave to write, no row is created', async () => {
  const { round, own, sender } = createRound(undefined, { allowWrites: false })
  const reason = 'It needs --allow-writes.'

  await expect(async () => own.annotation(round)).rejects.toEqual({ reason })
  await expect(async () => own.createPlugin(round, 'url')).rejects.toEqual({ reason })
  await expect(async () => own.createWithoutUrl(round)).rejects.toEqual({ reason })
  await expect(async () => own.globalPlugin(round)).rejects.toEqual({ reason })
  expect(sender.count).toBe(0)
})
