import { expect, test } from 'vitest'
import { fillProbe, type ServerIds } from '../../src/compare/fill-probe.ts'
import { OwnRows } from '../../src/compare/own-rows.ts'
import type { Probe, RowName } from '../../src/compare/probes.ts'

const marker = 'k2j4'
const ids: ServerIds = {
  ...{ project: '1', org: '5', other: null, missing: '99' },
  ...{ marker, keys: { all: 'phx_all' } },
}
const [annotations, plugins] = ['/api/projects/1/annotations/', '/api/organizations/5/plugins/']
const create = (path: string, save: RowName): Probe => ({
  ...{ key: 'all', method: 'POST', path, body: { name: '#' }, save },
})
const patch = (body: Readonly<Record<string, unknown>>): Probe => ({
  key: 'all',
  method: 'PATCH',
  path: plugins,
  body,
})
const row = (id: string, rest: object = {}) => ({
  id: Number(id),
  name: `understudy ${marker}`,
  ...rest,
})
const page = (...results: object[]) => ({
  status: 200,
  text: JSON.stringify({ count: results.length, results }),
})
const done = { status: 204, text: '' }
const refused = { status: 403, text: '' }
const failed = { status: 500, text: '' }
const listPlugins = `GET ${plugins}?limit=100&offset=0`
const listAnnotations = `GET ${annotations}?limit=100&offset=0&search=${marker}`

interface Answer {
  readonly status: number
  readonly text: string
}

/** The own rows of a comparison with a server that gives some answers by request, and a success to all others. */
function startRows(answers: Readonly<Record<string, Answer>> = {}) {
  const sent: string[] = []
  let reserved = 0
  const rows = new OwnRows({
    ...{ ids, label: 'all' },
    reserve(requests) {
      reserved = requests
    },
    async request(probe, rowIds) {
      const { method, path, body } = fillProbe(probe, ids, rowIds) ?? {}
      const request = [method, path, ...(body ? [body] : [])].join(' ')
      sent.push(request)
      const usual = path?.includes('?') ? page() : { status: 200, text: JSON.stringify(row('7')) }
      const { status, text } = answers[request] ?? usual
      return { status, text, headers: new Headers() } as never
    },
  })
  /** A row that the server confirms. */
  const add = async (path: string, id: string): Promise<boolean> => {
    const name = path === plugins ? 'plugin' : 'annotation'
    rows.expect(name)
    const received = { status: 201, text: JSON.stringify(row(id)), headers: new Headers() } as never
    const isOwn = await rows.confirm(create(path, name), received, id)
    sent.length = 0
    return isOwn
  }
  return { rows, sent, add, reserved: () => reserved }
}

test('each own row is removed as the API wants it: annotations are marked, global plugins are made local first', async () => {
  const { rows, sent, add, reserved } = startRows({
    [`DELETE ${plugins}8/`]: done,
    [`DELETE ${plugins}9/`]: done,
  })
  await add(annotations, '7')
  await add(plugins, '8')
  await add(plugins, '9')
  rows.note(patch({ is_global: true }), 'plugins', '9', { status: 200 } as never)
  const requests = reserved()

  const left = await rows.remove()

  expect([left, requests]).toEqual([[], 10])
  expect(sent).toEqual([
    `PATCH ${annotations}7/ {"deleted":true}`,
    `DELETE ${plugins}8/`,
    `PATCH ${plugins}9/ {"is_global":false}`,
    `DELETE ${plugins}9/`,
    listAnnotations,
    listPlugins,
  ])
})

test('a row that a probe removed is not removed again, and one that it brought back or that stayed is', async () => {
  const { rows, sent, add } = startRows({ [`DELETE ${plugins}9/`]: done })
  await add(annotations, '7')
  await add(plugins, '8')
  await add(plugins, '9')
  rows.note({ ...patch({}), method: 'DELETE' }, 'plugins', '8', { status: 204 } as never)
  rows.note({ ...patch({}), method: 'DELETE' }, 'plugins', '9', { status: 403 } as never)
  rows.note(patch({ deleted: true }), 'annotations', '7', { status: 200 } as never)
  rows.note(patch({ deleted: false }), 'annotations', '7', { status: 200 } as never)

  expect(await rows.remove()).toEqual([])
  expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([
    `DELETE ${plugins}9/`,
    `PATCH ${annotations}7/ {"deleted":true}`,
  ])
})

test('a row that cannot be removed is tried three times, looked for, and named with its cure', async () => {
  const { rows, sent, add } = startRows({
    [`DELETE ${plugins}8/`]: refused,
    [listPlugins]: page(row('8'), { id: 1, name: 'Of others' }),
  })
  await add(plugins, '8')

  const left = await rows.remove()

  expect(left).toEqual([
    'A plugin could not be removed. Remove it with DELETE /api/organizations/5/plugins/8/.',
  ])
  expect(sent).toEqual([
    ...Array(3).fill(`DELETE ${plugins}8/`),
    listPlugins,
    ...Array(3).fill(`DELETE ${plugins}8/`),
    listPlugins,
    `GET ${plugins}8/`,
  ])
})

test('a row that is gone is not left behind, though the list still has it', async () => {
  const gone = { status: 410, text: '' }
  const { rows, add } = startRows({
    [`DELETE ${plugins}8/`]: gone,
    [`GET ${plugins}8/`]: gone,
    [listPlugins]: page(row('8')),
  })
  await add(plugins, '8')

  expect(await rows.remove()).toEqual([])
})

test('an annotation that is shown after it was soft-deleted is named with its path', async () => {
  const { rows, add } = startRows()
  await add(annotations, '7')

  const left = await rows.remove()
  const visible = await rows.visibleAfterRemoval()

  expect([left, visible]).toEqual([[], [`${annotations}7/`]])
})

test('a create without a response may have left a row, so the list is searched', async () => {
  const { rows, sent } = startRows({
    [listAnnotations]: page(row('7'), row('8', { deleted: true })),
  })
  rows.expect('annotation')

  const left = await rows.remove()

  const [change, read] = [`PATCH ${annotations}7/ {"deleted":true}`, `GET ${annotations}7/`]
  expect(sent).toEqual([listAnnotations, change, listAnnotations, read])
  expect(left).toEqual([
    `An annotation could not be removed. Remove it with PATCH ${annotations}7/ with {"deleted": true}.`,
  ])
})

test('of a list with several pages, the last one is searched, too', async () => {
  const [first, last] = [listPlugins, `GET ${plugins}?limit=100&offset=1`]
  const whole = { status: 200, text: JSON.stringify({ count: 101, results: [] }) }
  const rest = page(row('8', { is_global: true }))
  const { rows, sent } = startRows({ [first]: whole, [last]: rest })
  rows.expect('plugin')

  await rows.remove()

  const local = `PATCH ${plugins}8/ {"is_global":false}`
  expect(sent.slice(0, 4)).toEqual([first, last, local, `DELETE ${plugins}8/`])
})

test.each([
  ['was refused', 400, []],
  ['failed', 500, [expect.stringContaining('A plugin may be left')]],
])('a row can be left if its create %s', async (_how, status, left) => {
  const { rows } = startRows({ [listPlugins]: failed })
  rows.expect('plugin')
  await rows.confirm(create(plugins, 'plugin'), { status, text: '{}' } as never, null)

  expect(await rows.remove()).toEqual(left)
})

test('a create that was not sent leaves nothing to look for', async () => {
  const { rows, sent, reserved } = startRows()
  rows.expect('plugin')()

  expect([await rows.remove(), sent, reserved()]).toEqual([[], [], 0])
})

test('a row that is created as deleted is an own one, and stays as it is', async () => {
  const { rows, sent } = startRows({ [`GET ${annotations}7/`]: { status: 404, text: '' } })
  const probe = { ...create(annotations, 'annotation'), body: { name: '#', deleted: true } }
  const text = JSON.stringify(row('7', { deleted: true }))
  rows.expect('annotation')

  expect(await rows.confirm(probe, { status: 201, text } as never, '7')).toBe(true)
  await rows.remove()

  expect(sent.filter((request) => request.startsWith('PATCH'))).toEqual([])
})

test.each([
  ['is gone the second time', { status: 404, text: '' }, 2],
  ['stays as it was', { status: 200, text: JSON.stringify(row('7', { deleted: false })) }, 3],
])('an annotation that %s is removed in as many attempts', async (_what, answer, attempts) => {
  const removal = `PATCH ${annotations}7/ {"deleted":true}`
  const { rows, sent, add } = startRows({ [removal]: answer })
  await add(annotations, '7')
  rows.note(patch({ deleted: true }), 'annotations', '7', { status: 403 } as never)

  await rows.remove()

  expect(sent.filter((request) => request === removal)).toHaveLength(attempts)
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

test('a server that lists nothing leaves the reader where to look', async () => {
  const { rows } = startRows({ [listAnnotations]: { status: 500, text: '<h1>Error</h1>' } })
  rows.expect('annotation')

  expect(await rows.remove()).toEqual([
    `An annotation may be left, because the server did not confirm it. Look in GET ${annotations} for a text that starts with "understudy ${marker}".`,
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
    rows.expect('annotation')

    const usual = { status: 201, text: JSON.stringify(row('7')), headers: new Headers() }
    const received = { ...usual, ...answer } as never
    expect(await rows.confirm(create(annotations, 'annotation'), received, id)).toBe(isOwn)
  },
)
