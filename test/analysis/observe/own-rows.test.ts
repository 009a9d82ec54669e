import { expect, test } from 'vitest'
import { createRound } from '../../support/observe/logged-round.ts'
import type { Intercept } from '../../support/observe/logged-server.ts'

const annotations = '/api/projects/@current/annotations/'
const plugins = '/api/organizations/@current/plugins/'

const isWrite = (line: string): boolean => !line.startsWith('GET')

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
  expect(reserved).toEqual([3, 3, 3, 4, 7, 8, 9, 7])
  expect(takeSent().filter(isWrite)).toEqual([
    `POST ${annotations} {"content":"${content}","date_marker":"2001-01-01T00:00:00Z","scope":"project"} → 201`,
    `POST ${annotations} {"content":"${content} deleted","date_marker":"2001-01-01T00:00:00Z","scope":"project","deleted":true} → 201`,
    `POST ${plugins} {"plugin_type":"source","description":"${content} url","url":"https://example.com/understudy-observe-k2j4-1-url"} → 201`,
    `POST ${plugins} {"plugin_type":"source","description":"${content} name,url","name":"${content} name,url","url":"https://example.com/understudy-observe-k2j4-1-name-url"} → 201`,
    `PATCH ${plugins}25/ {"is_global":true} → 200`,
  ])
  expect(await own.cleanUp()).toEqual([])
  expect(takeSent().filter(isWrite)).toEqual([
    `PATCH ${annotations}9/ {"deleted":true} → 200`,
    `PATCH ${annotations}10/ {"deleted":true} → 200`,
    `DELETE ${plugins}25/ → 204`,
    `DELETE ${plugins}26/ → 204`,
  ])
})

test('a plugin is created with the first fields that the server accepts', async () => {
  const { round, own, sender, takeSent } = createRound(toFirst('POST', 2))
  const refused = createRound(toAll('POST', () => Response.json(error, { status: 400 })))
  const empty = createRound(toAll('POST', () => Response.json({}, { status: 201 })))

  expect(await own.plugin(round)).toBe(25)
  expect(
    takeSent()
      .filter(isWrite)
      .map((line) => /"(name|url)".*/.exec(line)?.[0]),
  ).toEqual([
    '"url":"https://example.com/understudy-observe-k2j4-1-url"} → 400',
    `"name":"${content} name,url","url":"https://example.com/understudy-observe-k2j4-1-name-url"} → 400`,
    `"name":"${content} name"} → 201`,
  ])
  expect(sender.reserved).toBe(3)
  const reason = 'The server creates no plugin with this key.'
  await expect(refused.own.plugin(refused.round)).rejects.toEqual({ reason })
  await expect(empty.own.plugin(empty.round)).rejects.toEqual({ reason })
  expect([refused.sender.reserved, empty.sender.reserved]).toEqual([2, 5])
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
