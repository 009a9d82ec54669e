import { expect, test } from 'vitest'
import { paths, type Unclear } from '../../../../src/analysis/observe/requests.ts'
import { createRound } from '../../../support/observe/logged-round.ts'

const annotations = '/api/projects/@current/annotations/'
const error = (status: number, detail = 'No.'): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })
const reasonOf = ({ reason }: Unclear) => reason

test('a round reads a path once for each key, id and query, and writes each time', async () => {
  const { round, observer, takeSent } = createRound()
  const key = observer.keys.for('*')
  const read = (options: object) => round.getAny(paths.annotation, { key, id: 1, ...options })

  for (const options of [
    {},
    {},
    { id: 2 },
    { query: { limit: 1 } },
    { key: 'phx_all' },
    { key: null },
  ]) {
    await read(options)
  }
  for (const id of [1, 1]) await round.send('OPTIONS', paths.annotation, { key, id })

  expect(takeSent()).toEqual([
    `GET ${annotations}1/ → 200`,
    `GET ${annotations}2/ → 200`,
    `GET ${annotations}1/?limit=1 → 200`,
    `GET ${annotations}1/ → 200`,
    `GET ${annotations}1/ no key → 401`,
    `OPTIONS ${annotations}1/ → 200`,
    `OPTIONS ${annotations}1/ → 200`,
  ])
})

test('the evidence of a round hides words and keys of queries', async () => {
  const { round } = createRound()
  const query = { personal_api_key: 1, token: 2, api_key: 3, search: 4, limit: 5 }

  await round.getAny(paths.projects, { query })
  await round.getAny(paths.projects, {})
  await round.sendAny('OPTIONS', paths.projects, { query: { limit: 1 } })

  expect(round.evidence).toEqual([
    'GET /api/projects/?personal_api_key=…&token=…&api_key=…&search=…&limit=5 → 401',
    'GET /api/projects/ → 401',
    'OPTIONS /api/projects/?limit=1 → 401',
  ])
})

const notReadable = (status: number) =>
  `The list /api/projects/:project_id/annotations/ is not readable (${status}).`
const empty = 'The list /api/projects/:project_id/annotations/ is empty.'
const page = (results: unknown, status = 200) => Response.json({ results }, { status })

test.each([
  [
    'rows and others',
    () => page([{ id: 1 }, null, 2, { id: 3 }]),
    [{ id: 1 }, { id: 3 }],
    { id: 3 },
  ],
  [
    'a last row without an id',
    () => page([{ id: 1 }, { id: '2' }]),
    [{ id: 1 }, { id: '2' }],
    empty,
  ],
  ['no rows', () => page([]), [], empty],
  ['no list of rows', () => page({}), notReadable(200), notReadable(200)],
  [201, () => page([], 201), notReadable(201), notReadable(201)],
  ['a list', () => Response.json([]), notReadable(200), notReadable(200)],
  [403, () => error(403), notReadable(403), notReadable(403)],
])(
  'of a list that is answered with %s, the rows and the last row are read',
  async (_title, other, rows, row) => {
    const { round } = createRound(other)

    expect(await round.page().then((read) => read.rows, reasonOf)).toEqual(rows)
    expect(await round.row(paths.annotations, round.baseKey).catch(reasonOf)).toEqual(row)
  },
)
