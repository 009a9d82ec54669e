import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { annotationsPath } from '../../support/api/paths.ts'
import { inEachPause } from '../../support/control/in-each-pause.ts'
import { start } from '../../support/lanes/start.ts'

const world = '/__admin/world'
const headers = { 'content-type': 'application/x-ndjson' }

const { annotations, ...rest } = defaultWorld
const [first] = annotations
const toLines = (values: readonly unknown[]) =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

const text = toLines([...annotations, rest])

/** More than a mebibyte. */
const many = Array.from({ length: 2_000 }, (_, index) => ({
  ...first,
  id: index + 1,
  content: 'Launch 🦔 '.repeat(30),
}))

test('a world is replaced by lines, one for each annotation', async () => {
  const { control, simulator } = await start({ world: 'empty' })

  const put = await control('PUT', world, { headers, raw: text })

  expect(put).toEqual({ status: 200, body: simulator.world.counts })
  expect((await control('GET', world)).body).toMatchObject({ annotations })
})

test('a snapshot is imported from lines', async () => {
  const { control } = await start({ world: 'empty' })

  const put = await control('PUT', '/__admin/snapshots/lines', { headers, raw: text })

  expect(put).toMatchObject({ status: 200, body: { name: 'lines', rows: { annotations: 8 } } })
})

test('lines can leave rows and fields to the factories', async () => {
  const { control } = await start({ world: 'empty' })
  const raw = toLines([{ generate: { annotations: 3 } }, { content: 'Launch' }])

  const put = await control('PUT', world, { headers, raw })

  expect(put).toMatchObject({ status: 200, body: { annotations: 4 } })
})

test('other requests are answered while many lines are read', async () => {
  const { ask, control, simulator } = await start()
  let answered = 0

  const { status } = await inEachPause(
    () => control('PUT', world, { headers, raw: toLines([rest, ...many]) }),
    async () => {
      const read = await ask('GET', `${annotationsPath}1/`)
      if (read.status === 200 && simulator.world.annotations.count === 8) answered += 1
    },
  )

  expect([status, simulator.world.annotations.count]).toEqual([200, 2_000])
  expect(answered).toBeGreaterThanOrEqual(5)
})

type Refused = readonly [
  what: string,
  raw: string,
  detail: string,
  attr: string | null,
  issue: object | null,
]

const refused: readonly Refused[] = [
  [
    'a line that is cut off',
    `${text}{"id":9,\n`,
    `JSON parse error - Expecting property name enclosed in double quotes: line 10 column 9 (char ${text.length + 8})`,
    null,
    null,
  ],
  ['nothing', '', 'JSON parse error - Expecting value: line 1 column 1 (char 0)', null, null],
  [
    'empty lines',
    '\r\n\n',
    'JSON parse error - Expecting value: line 3 column 1 (char 3)',
    null,
    null,
  ],
  [
    'a byte order mark',
    `\ufeff${text}`,
    'JSON parse error - Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
    null,
    null,
  ],
  [
    'a line that is no object',
    `${text}"odd"\n`,
    'Failed to load the world: 1 problem. Nothing was loaded.\n  line 10: expected an object, got "odd"',
    null,
    { path: [], text: 'expected an object, got "odd"', line: 10 },
  ],
  [
    'a value twice',
    `${text}{"seed":1}\n{"seed":2}\n`,
    'Failed to load the world: 1 problem. Nothing was loaded.\n  line 11, seed: line 10 has a value, too. Keep one of them.',
    'seed',
    { path: ['seed'], text: 'line 10 has a value, too. Keep one of them.', line: 11 },
  ],
  [
    'a wrong row behind many others',
    toLines([rest, ...many, { ...first, id: 3_000, scope: 'team' }]),
    'Failed to load the world: 1 problem. Nothing was loaded.\n  line 2002, annotations[2000].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
    'annotations[2000].scope',
    {
      path: ['annotations', 2000, 'scope'],
      text: 'expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
      line: 2002,
      root: 'world',
    },
  ],
  [
    'a wrong row for the factories',
    toLines([{ generate: {} }, { content: 5 }]),
    'Failed to generate the world: 1 problem. Nothing was generated.\n  line 2, annotations[0].content: expected string, got 5',
    'annotations[0].content',
    { path: ['annotations', 0, 'content'], text: 'expected string, got 5', line: 2, root: 'world' },
  ],
]

test.each(refused)('lines with %s are refused, and nothing changes', async (...row) => {
  const [, raw, detail, attr, issue] = row
  const { control, simulator } = await start()
  const before = simulator.world.toJSON()

  const response = await control('PUT', world, { headers, raw })

  const [type, code] = detail.startsWith('JSON')
    ? ['invalid_request', 'parse_error']
    : ['validation_error', 'invalid_input']
  const listed = issue ? { issues: [issue] } : {}
  expect(response).toEqual({ status: 400, body: { type, code, detail, attr, ...listed } })
  expect(simulator.world.toJSON()).toEqual(before)
})

test('only worlds can be lines', async () => {
  const { control } = await start()

  expect(await control('PATCH', world, { headers, raw: text })).toMatchObject({
    status: 415,
    body: { detail: 'Unsupported media type "application/x-ndjson" in request.' },
  })
})
