import { expect, test } from 'vitest'
import type { ServerIds } from '../../src/compare/fill-probe.ts'
import { Player } from '../../src/compare/player.ts'
import type { Probe, RowName } from '../../src/compare/probes.ts'
import { ProbeSender } from '../../src/compare/sender.ts'

const marker = 'k2j4'
const ids: ServerIds = {
  ...{ project: '1', org: '5', other: null, missing: '99' },
  ...{ marker, keys: { all: 'phx_all' } },
}
const [annotations, plugins] = ['/api/projects/1/annotations/', '/api/organizations/5/plugins/']
const create = (path: string, save: RowName): Probe => ({
  ...{ key: 'all', method: 'POST', path, body: { name: '#' }, save },
})
const row = (id: string, rest: object = {}) => ({
  id: Number(id),
  name: `understudy ${marker}`,
  ...rest,
})
const refused = { status: 403, text: '' }
const failed = { status: 500, text: '' }
const gone = { status: 410, text: '' }
const listPlugins = `GET ${plugins}?limit=100&offset=0`
const listAnnotations = `GET ${annotations}?limit=100&offset=0&search=${marker}`

interface Answer {
  readonly status: number
  readonly text: string
}

/** A service with rows by their paths, which gives some answers by request. */
function startRows(answers: Readonly<Record<string, Answer>> = {}) {
  const sent: string[] = []
  const there = new Map<string, Record<string, unknown>>()
  const respond = (method: string, path: string, body: object): Answer => {
    const [list] = path.split('?') as [string]
    if (list !== path) {
      const rows = [...there].filter(([name, { deleted }]) => name.startsWith(list) && !deleted)
      const results = rows.map(([, value]) => value)
      return { status: 200, text: JSON.stringify({ count: results.length, results }) }
    }
    const found = there.get(path)
    if (!found || (method === 'GET' && found.deleted)) return { status: 404, text: '' }
    if (method === 'DELETE') there.delete(path)
    return { status: 200, text: JSON.stringify(Object.assign(found, body)) }
  }
  const sender = new ProbeSender({
    ...{ rate: Number.POSITIVE_INFINITY, maxRequests: 1_000, wait: async () => {} },
    async send(url, { method = '', body }) {
      const path = url.replace('http://a.test', '')
      const request = [method, path, ...(body ? [body] : [])].join(' ')
      sent.push(request)
      const answer = answers[request] ?? respond(method, path, body ? JSON.parse(`${body}`) : {})
      return new Response(answer.text, answer)
    },
  })
  const rows = new Player('http://a.test/', sender, ids).own
  /** A row that the server confirms. */
  const add = async (path: string, id: string, rest: object = {}): Promise<boolean> => {
    const name = path === plugins ? 'plugin' : 'annotation'
    there.set(`${path}${id}/`, row(id, rest))
    const received = { status: 201, text: JSON.stringify(row(id)), headers: new Headers() }
    const isOwn = await rows.confirm(create(path, name), received, id)
    sent.length = 0
    return isOwn
  }
  return { rows, sent, add, there }
}

test('each own row is removed as the API wants it: annotations are marked, global plugins are made local first', async () => {
  const { rows, sent, add } = startRows()
  await add(annotations, '7')
  await add(plugins, '8')
  await add(plugins, '9', { is_global: true })

  const removed = await rows.remove()

  expect(removed).toEqual([])
  expect(sent).toEqual([
    ...[listAnnotations, `PATCH ${annotations}7/ {"deleted":true}`, `GET ${annotations}7/`],
    ...[listPlugins, `DELETE ${plugins}8/`, `GET ${plugins}8/`],
    `PATCH ${plugins}9/ {"is_global":false}`,
    ...[`DELETE ${plugins}9/`, `GET ${plugins}9/`],
  ])
})

test('a row that a probe removed is no row that is left', async () => {
  const { rows, add, there } = startRows()
  await add(annotations, '7')
  await add(plugins, '8')
  there.clear()

  expect(await rows.remove()).toEqual([])
})

test('a row that cannot be removed is tried three times, and named with its cure', async () => {
  const { rows, sent, add, there } = startRows({ [`DELETE ${plugins}8/`]: refused })
  there.set(`${plugins}1/`, { id: 1, name: 'Of others' })
  await add(plugins, '8')

  const left = await rows.remove()

  expect(left).toEqual([
    'A plugin could not be removed. Remove it with DELETE /api/organizations/5/plugins/8/.',
  ])
  expect(sent.filter((request) => request.startsWith('DELETE'))).toEqual(
    Array(3).fill(`DELETE ${plugins}8/`),
  )
})

test('a row is left if the server confirms a removal that it does not make', async () => {
  const { rows, add } = startRows({ [`DELETE ${plugins}8/`]: { status: 204, text: '' } })
  await add(plugins, '8')

  expect(await rows.remove()).toHaveLength(1)
})

test('a row that is gone is not left behind, though the list still has it', async () => {
  const { rows, add } = startRows({ [`DELETE ${plugins}8/`]: gone, [`GET ${plugins}8/`]: gone })
  await add(plugins, '8')

  expect(await rows.remove()).toEqual([])
})

test('an annotation that is shown after it was soft-deleted is not left behind', async () => {
  const { rows, add } = startRows({
    [`GET ${annotations}7/`]: { status: 200, text: JSON.stringify(row('7', { deleted: true })) },
  })
  await add(annotations, '7')

  expect(await rows.remove()).toEqual([])
})

test('a create without a response may have left a row, so the list is searched', async () => {
  const { rows, sent, there } = startRows()
  there.set(`${annotations}7/`, row('7'))
  there.set(`${annotations}8/`, row('8', { deleted: true }))
  await rows.confirm(create(annotations, 'annotation'), null, null)

  await rows.remove()

  const removal = `PATCH ${annotations}7/ {"deleted":true}`
  expect(sent).toEqual([listAnnotations, removal, `GET ${annotations}7/`])
})

test('of a list with several pages, the last one is searched, too', async () => {
  const last = `GET ${plugins}?limit=100&offset=1`
  const page = (...results: object[]) => ({
    status: 200,
    text: JSON.stringify({ count: 101, results }),
  })
  const { rows, sent } = startRows({ [listPlugins]: page(), [last]: page(row('8')) })
  await rows.confirm(create(plugins, 'plugin'), null, null)

  await rows.remove()

  expect(sent.slice(0, 3)).toEqual([listPlugins, last, `DELETE ${plugins}8/`])
})

test.each([
  ['was refused', 400, []],
  [
    'failed',
    500,
    [
      `A plugin may be left, because the server did not confirm it. Look in GET ${plugins} for a text that starts with "understudy ${marker}".`,
    ],
  ],
])(
  'a row can be left if its create %s, and the list cannot be read',
  async (_how, status, left) => {
    const { rows } = startRows({ [listPlugins]: failed })
    const received = { status, text: '{}', headers: new Headers() }
    await rows.confirm(create(plugins, 'plugin'), received, null)

    expect(await rows.remove()).toEqual(left)
  },
)

test('a row that is created as deleted is an own one', async () => {
  const { rows } = startRows()
  const probe = { ...create(annotations, 'annotation'), body: { name: '#', deleted: true } }
  const text = JSON.stringify(row('7', { deleted: true }))

  const isOwn = await rows.confirm(probe, { status: 201, text, headers: new Headers() }, '7')

  expect([isOwn, await rows.remove()]).toEqual([true, []])
})

test('rows that cannot be removed, in lists that cannot be read, are named once each', async () => {
  const { rows, add } = startRows({
    [`PATCH ${annotations}7/ {"deleted":true}`]: failed,
    [`DELETE ${plugins}8/`]: failed,
    [listAnnotations]: failed,
    [listPlugins]: failed,
  })
  await add(annotations, '7')
  await add(plugins, '8')

  expect(await rows.remove()).toEqual([
    expect.stringContaining(`PATCH ${annotations}7/`),
    expect.stringContaining(`DELETE ${plugins}8/`),
  ])
})

test.each([
  ['its id belongs to a row of others', {}, '7', { id: 7, name: 'Of others' }, false],
  ['its response has another text', { text: '{"id": 7}' }, '7', row('7'), false],
  ['it was refused', { status: 400 }, '7', row('7'), false],
  ['its response has no id', {}, null, row('7'), false],
  ['it is there', {}, '7', row('7'), true],
])(
  'a created row is an own one if it is there with its text: %s',
  async (_, answer, id, shown, isOwn) => {
    const { rows } = startRows({
      [`GET ${annotations}7/`]: { status: 200, text: JSON.stringify(shown) },
    })
    const usual = { status: 201, text: JSON.stringify(row('7')), headers: new Headers() }
    const probe = create(annotations, 'annotation')
    expect(await rows.confirm(probe, { ...usual, ...answer }, id)).toBe(isOwn)
  },
)
