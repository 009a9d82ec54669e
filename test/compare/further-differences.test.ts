import { expect, test } from 'vitest'
import { describeUnexplained } from '../../src/compare/comparison.ts'
import { changing, compareServer, createServer, wrongIn } from './own-server.ts'

const relative = (link: unknown) => link && String(link).replace(/^https?:\/\/[^/]+/, '')

type Change = Parameters<typeof changing>[1]

type Row = readonly [what: string, allowWrites: boolean, change: Change, told: string[]]

const rows: readonly Row[] = [
  [
    'further fields of pages and their rows, links to another host, and other statuses',
    false,
    (answered) => {
      const { fields, url } = answered
      for (const row of [fields.results ?? []].flat()) Object.assign(row as object, { v: 1 })
      if ('next' in fields) fields.total_pages = 1
      for (const name of ['next', 'previous'])
        if (fields[name]) fields[name] = `http://web:8000${relative(fields[name])}`
      if (answered.status === 404) answered.status = 410
      if (url.includes('/activity/')) answered.status = 501
      if (url.includes('/unused/')) answered.status = 404
    },
    [
      'status 410, and 404 in a simulator',
      'fields total_pages and v present, and absent in a simulator',
      'links URLs of http://web:8000, not of http://localhost, and URLs of the server in a simulator',
      'field total_pages present, and absent in a simulator',
      'status 501, and a success in a simulator',
      'status 404, and a success in a simulator',
    ],
  ],
  [
    'times with an offset, statuses of a success, of bad input, and of a PATCH without a body',
    true,
    (answered) => {
      const { fields, method, status } = answered
      const { date_marker: time } = fields
      if (typeof time === 'string')
        fields.date_marker = time.replace('T00:00:00Z', 'T02:00:00+02:00')
      const others: Record<number, number> = { 201: 200, 400: 422 }
      answered.status = others[status] ?? status
      if (method === 'PATCH' && status === 200) Object.assign(answered, { status: 204, body: null })
    },
    [
      'status 200, and 201 in a simulator',
      'status 204, and 200 in a simulator',
      'status 422, and 400 in a simulator',
    ],
  ],
]

test.each(rows)(
  'a comparison tells each difference that no setting explains: %s',
  async (_, allowWrites, change, told) => {
    const server = createServer()

    const comparison = await compareServer(
      changing(server, change),
      { all: 'phx_all' },
      { allowWrites },
    )

    const { unexplained, explained, compared } = comparison
    expect(unexplained.map((what) => `${what.part} ${describeUnexplained(what)}`)).toEqual(told)
    expect(explained).toBeLessThan(compared)
    expect(wrongIn(comparison, server.settings.values)).toEqual({})
  },
)
