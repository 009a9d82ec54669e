import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'test/bench')
const imports = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .flatMap((file) =>
    [
      ...readFileSync(join(folder, file), 'utf8').matchAll(
        /import \{ (.*) \} from '\.\.\/\.\.\/dist\/(.*)\.js'/g,
      ),
    ].map(([, names = '', module = '']) => ({ file, names: names.split(', '), module })),
  )

test.each(imports)('$file can import $names from $module', async ({ names, module }) => {
  const exported = await import(join(root, 'src', `${module}.ts`))

  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names))
})

const { createClient, findWrongAnswers } = await import(join(folder, 'peers/check.mjs'))
const { chartOf, toMarkdown } = await import(join(folder, 'peers/report.mjs'))
const paths = {
  all: '/rows',
  one: '/rows/{id}',
  page: '/rows?offset={offset}',
  rows: ({ body }: { body: { results: unknown } }) => body.results,
  count: ({ body }: { body: { count: unknown } }) => body.count,
}

const expected = { least: 300, row: {}, clients: 2, ids: 300, hasGet: true }

type Row = Record<string, unknown>
type Defect = 'same-page' | 'lost-patch' | 'lost-create' | 'wrong-row' | 'open'

test.each<[Defect | undefined, Record<string, string>]>([
  [undefined, {}],
  ['same-page', { pages: 'the page at 100 has other rows' }],
  ['wrong-row', { get: 'a get of row 151 has other content' }],
  ['open', { get: 'a request without a key is answered' }],
  ['lost-patch', { patch: 'a write is lost' }],
  ['lost-create', { create: 'a write is lost' }],
])('the check of a peer finds its defect: %s', async (defect, problems) => {
  const rows = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, content: `${index}` }))
  const client = createClient(await serveRows(structuredClone(rows), defect), paths)

  const wrong = await findWrongAnswers(client, { ...expected, rows, hasKeys: true })

  expect(wrong).toEqual(problems)
})

test('the check of a peer finds rows that are lost under load', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({ id: index + 1, content: `${index}` }))
  const client = createClient(await serveRows(rows), paths)

  const wrong = await findWrongAnswers(client, { ...expected, least: 305, most: 325 })

  expect(wrong).toEqual({ create: '5 of the created rows are lost' })
})

test('a server that answers wrongly gets no number', () => {
  const numbers = { list: { ratio: 0.123, cpu: 45 }, get: { ratio: 1, cpu: 20 } }
  const wrong = { pages: 'a', patch: 'b', create: 'b' }
  const results = [
    {
      name: 'bare',
      title: 'bare',
      rows: 1_000,
      start: 50,
      atRest: 40,
      afterLoad: 50,
      ...{ numbers, wrong },
    },
    { name: 'gone', title: 'gone', rows: 1_000, failure: 'it ended' },
  ]

  expect(toMarkdown(results)).toBe(`\
| 1,000 rows | same page | varied pages | get | patch | create | start | MiB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| bare | 0.12 (45 µs) | – [1] | 1.0 (20 µs) | – [2] | – [2] | 1.0 × | 40 → 50 |
| gone | – [3] |  |  |  |  |  |  |

[1] bare: a  
[2] bare: b  
[3] gone: it ended`)
  expect(chartOf([{ ...results[0], name: 'hono' }]).data.values).toEqual([
    { server: 'bare', operation: 'same page', rows: '1,000 rows', ratio: 0.12 },
    { server: 'bare', operation: 'get', rows: '1,000 rows', ratio: 1 },
  ])
})

test.each([
  [0.0002, 0.0001],
  [0.5, 0.1],
])('the axis of the chart begins below the lowest ratio, %f', (ratio, start) => {
  const peer = { title: 'slow', name: 'slow', rows: 1_000, numbers: { get: { ratio } } }

  const { x } = chartOf([peer]).spec.encoding

  expect([x.scale.domain, x.axis.values[0]]).toEqual([[start, 1.5], start])
})

/** A server of rows, with a defect. @returns its URL */
async function serveRows(rows: Row[], defect?: Defect): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const text = (await request.toArray()).join('')
    const reply = (body: unknown, status = 200) =>
      response.writeHead(status).end(JSON.stringify(body))
    if (!request.headers.authorization && defect !== 'open') return reply({}, 401)
    const offset = defect === 'same-page' ? 0 : Number(searchParams.get('offset'))
    const row = rows.find(({ id }) => id === Number(pathname.split('/')[2]))
    if (request.method === 'POST') {
      const created = { ...JSON.parse(text), id: rows.length + 1 }
      rows.push(defect === 'lost-create' ? { id: created.id } : created)
      return reply(created)
    }
    if (request.method === 'PATCH') {
      const changes = JSON.parse(text)
      if (defect !== 'lost-patch') Object.assign(row ?? {}, changes)
      return reply({ ...row, ...changes })
    }
    if (!row) return reply({ count: rows.length, results: rows.slice(offset, offset + 100) })
    return reply(defect === 'wrong-row' && row.id === 151 ? { ...row, id: 150 } : row)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
