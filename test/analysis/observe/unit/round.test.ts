import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { type ObserverKey, paths, type Unclear } from '../../../../src/analysis/observe/requests.ts'
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

test('a function that a round runs once gives its result and its evidence each time, also a failure', async () => {
  const { round } = createRound()
  let runs = 0
  const run = (isFailure: boolean) =>
    round.once(`run ${isFailure}`, async () => {
      runs += 1
      await round.sendAny('OPTIONS', paths.projects, {})
      if (isFailure) throw new Error('Failed')
      return runs
    })

  const results = [await run(false), await run(false)]
  round.evidence = []
  results.push(await run(false))
  const failures = [await run(true).catch(String), await run(true).catch(String)]

  expect([...results, ...failures, runs]).toEqual([1, 1, 1, 'Error: Failed', 'Error: Failed', 2])
  expect(round.evidence).toEqual(Array(3).fill('OPTIONS /api/projects/ → 401'))
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

const keys = parseKeys({
  all: 'all',
  'plugin:read': 'other',
  'annotation:write': 'writer',
  none: 'no',
})
const [allowed, other, writer, none] = keys as [ObserverKey, ObserverKey, ObserverKey, ObserverKey]
const refused = (label: string) =>
  `The server refuses the key "${label}" like an unknown one, so the key may be wrong.`
const wrongKey = [annotations, 'phx_k2j4_1']
const plugins = '/api/organizations/@current/plugins/'

test.each([
  ['of a known key', other, { other: [403, 'No.'], wrong: [401, 'No.'] }, 403, [wrongKey]],
  ['with another message', other, { other: [403, 'No.'], wrong: [403, 'Who?'] }, 403, [wrongKey]],
  ['by 404', other, { other: [404, 'No.'], wrong: [403, 'No.'] }, 404, [wrongKey]],
  [
    'of an unknown key',
    other,
    { other: [403, 'No.'], wrong: [403, 'No.'] },
    refused('plugin:read'),
    [wrongKey, [plugins, 'other']],
  ],
  [
    'of a key that reads plugins',
    other,
    { other: [403, 'No.'], wrong: [403, 'No.'], plugins: [200] },
    403,
    [wrongKey, [plugins, 'other']],
  ],
  [
    'of a key that reads projects',
    none,
    { other: [403, 'No.'], wrong: [403, 'No.'], projects: [200] },
    403,
    [wrongKey, ['/api/projects/', 'no']],
  ],
  [
    'of a key that only writes',
    writer,
    { other: [403, 'No.'], wrong: [403, 'No.'], plugins: [200] },
    refused('annotation:write'),
    [wrongKey, ['/api/projects/', 'writer']],
  ],
  [
    'of a key with full access',
    allowed,
    { other: [403, 'No.'], wrong: [403, 'No.'] },
    'The status was 403, and the values would show as 200.',
    [],
  ],
  ['that is none', other, { other: [200] }, null, []],
  [
    'by another status',
    other,
    { other: [400] },
    'The status was 400, and the values would show as 200, 403 or 404.',
    [],
  ],
] as const)(
  'two keys are compared by a refusal %s',
  async (_title, key, answers, result, later) => {
    const sent: string[][] = []
    const { round } = createRound(
      (_method, path, _number, value) => {
        const name =
          value === 'phx_k2j4_1'
            ? 'wrong'
            : path.startsWith(plugins)
              ? 'plugins'
              : path.startsWith('/api/projects/?')
                ? 'projects'
                : value === key.value
                  ? 'other'
                  : 'allowed'
        sent.push([path.replace('?limit=1', ''), value])
        const [status = name === 'allowed' ? 200 : 403, detail] =
          (answers as Record<string, readonly [number, string?]>)[name] ?? []
        return status === 200 ? page([]) : error(status, detail)
      },
      { keys },
    )

    const compared = await round.compareKeys(paths.annotations, {}, allowed, key).catch(reasonOf)

    expect(compared).toBe(result)
    const first =
      key === allowed
        ? [[annotations, 'all']]
        : [
            [annotations, 'all'],
            [annotations, key.value],
          ]
    expect(sent).toEqual([...first, ...later])
  },
)

test('a key that has worked, or that a proof shows to work, is known to the server', async () => {
  const { round, observer } = createRound(() => error(403), { keys })
  const refusal = await round.getAny(paths.annotations, { key: other })
  const proofs: string[] = []
  const prove = async (): Promise<void> => void proofs.push('failed')

  expect(await round.requireKnown(writer, refusal, prove).catch(reasonOf)).toBe(
    refused('annotation:write'),
  )
  observer.isWorking = ({ label }) => label === 'plugin:read' || proofs.length > 1
  expect(await round.requireKnown(other, refusal, prove).catch(reasonOf)).toBe(undefined)
  expect(proofs).toEqual(['failed'])
  expect(await round.requireKnown(writer, refusal, prove).catch(reasonOf)).toBe(undefined)
  expect(proofs).toEqual(['failed', 'failed'])
})

test('the status of a refusal is the one that was found, by default 403', () => {
  const { round, observer } = createRound()
  const byDefault = round.refusal
  observer.found.set('keys.insufficient.status', '404')

  expect([byDefault, round.refusal]).toEqual([403, 404])
})

test.each([
  [{ all: 'phx_all' }, 'annotation'],
  [{ 'annotation:read': 'phx_1', 'plugin:read': 'phx_2' }, 'annotation'],
  [{ 'annotation:write': 'phx_1', 'plugin:read': 'phx_2' }, 'plugin'],
] as const)('with the keys %j, the base list is one of %ss', (labels, kind) => {
  const { round } = createRound(undefined, { keys: parseKeys(labels) })

  expect(round.base).toEqual({ list: paths[`${kind}s`], row: paths[kind], scope: `${kind}:read` })
})
