import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { invalid } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { shortJson } from '../../support/api/short-json.ts'
import { start } from '../../support/transports/start.ts'

const hedgehogs = '🦔'.repeat(400)
const trueWords = 't T y Y yes Yes YES true True TRUE on On ON 1'.split(' ')
const falseWords = 'f F n N no No NO false False FALSE off Off OFF 0'.split(' ')

type AcceptedValue = readonly [field: string, sent: unknown, shown: unknown]

const acceptedValues: readonly AcceptedValue[] = [
  ['content', 'Release 1.0', 'Release 1.0'],
  ['content', '  Release 1.0\n', 'Release 1.0'],
  ['content', '', ''],
  ['content', ' \t ', ''],
  ['content', null, null],
  ['content', 5, '5'],
  ['content', -1.5, '-1.5'],
  ['content', 'x'.repeat(400), 'x'.repeat(400)],
  ['content', `  ${'x'.repeat(400)}  `, 'x'.repeat(400)],
  ['content', hedgehogs, hedgehogs],
  ['content', '"quoted" \\ / \u007f \u0001 é 🦔', '"quoted" \\ / \u007f \u0001 é 🦔'],
  ['date_marker', null, null],
  // `test/utils/python` has all forms of dates. More digits are cut, not rounded.
  ['date_marker', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['date_marker', '2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123456Z'],
  ['date_marker', '2024-01-01T10:00:00+01:00', '2024-01-01T09:00:00Z'],
  ['date_marker', '2024-01-01T10:00:00', '2024-01-01T10:00:00Z'],
  ['date_marker', '2024-02-29', '2024-02-29T00:00:00Z'],
  ['date_marker', '2024-W23-1', '2024-06-03T00:00:00Z'],
  ['creation_type', 'USR', 'USR'],
  ['creation_type', 'GIT', 'GIT'],
  ['dashboard_item', 10, 10],
  ['dashboard_item', '10', 10],
  ['dashboard_item', 10.7, 10],
  ['dashboard_item', null, null],
  ['dashboard_item', '', null],
  ['scope', 'dashboard_item', 'dashboard_item'],
  ['scope', 'project', 'project'],
  ['scope', 'organization', 'organization'],
]

const cases = acceptedValues.map((row) => [...row, shortJson(row[1]), shortJson(row[2])] as const)

test.each(cases)('$0 accepts $3 and returns $4', async (field, sent, stored) => {
  const { ask } = await start()

  const created = await ask('POST', annotationsPath, { body: { [field]: sent } })
  const changed = await ask('PATCH', `${annotationsPath}1/`, { body: { [field]: sent } })

  expect(created).toMatchObject({ status: 201, body: { id: 9, [field]: stored } })
  expect(changed).toMatchObject({ status: 200, body: { id: 1, [field]: stored } })
  expect(await ask('GET', `${annotationsPath}9/`)).toEqual({ ...created, status: 200 })
  expect(await ask('GET', `${annotationsPath}1/`)).toEqual(changed)
})

test.each([
  { deleted: true, words: [true, 1, ...trueWords] },
  { deleted: false, words: [false, 0, ...falseWords] },
])('deleted: $deleted can be sent as any of $words', async ({ deleted, words }) => {
  const { ask } = await start()

  for (const sent of words) {
    await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: !deleted } })
    const response = await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: sent } })
    expect.soft(response, String(sent)).toMatchObject({ status: 200, body: { deleted } })
  }
})

const writes = [
  ['POST', annotationsPath],
  ['PATCH', `${annotationsPath}1/`],
] as const

type InvalidValue = readonly [field: string, value: unknown, code: string, detail: string]

const long = 'Ensure this field has no more than 400 characters.'
const noDate =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'
const noNull = 'This field may not be null.'
const noKey = (type: string) => `Incorrect type. Expected pk value, received ${type}.`
const noRow = (id: string) => `Invalid pk "${id}" - object does not exist.`
const noChoice = (value: string) => `"${value}" is not a valid choice.`
const notText = (value: unknown): InvalidValue => [
  'content',
  value,
  'invalid_input',
  'Not a valid string.',
]
const notDate = (value: unknown): InvalidValue => ['date_marker', value, 'invalid_input', noDate]
const noBoolean = 'Must be a valid boolean.'
const notBoolean = (value: unknown): InvalidValue => ['deleted', value, 'invalid_input', noBoolean]

/** Each field with each kind of invalid value. */
const invalidValues: readonly InvalidValue[] = [
  ...[true, false, [], ['x'], {}, { a: 1 }].map(notText),
  ['content', 'x'.repeat(401), 'max_length', long],
  ['content', '🦔'.repeat(401), 'max_length', long],
  ['content', `${'x'.repeat(400)}\0`, 'max_length', long],
  ['content', 'a\0b', 'null_characters_not_allowed', 'Null characters are not allowed.'],
  [
    'content',
    'a\ud800',
    'surrogate_characters_not_allowed',
    'Surrogate characters are not allowed: U+D800.',
  ],
  [
    'content',
    '\udfffa',
    'surrogate_characters_not_allowed',
    'Surrogate characters are not allowed: U+DFFF.',
  ],
  ...[
    1717200000,
    0,
    true,
    [],
    {},
    '',
    ' ',
    'yesterday',
    '2024-02-30T10:00:00Z',
    '2024-01-01T24:00:00Z',
  ].map(notDate),
  ['date_marker', '0001-01-01T00:00:00+00:01', 'overflow', 'Datetime value out of range.'],
  ['date_marker', '9999-12-31T23:59:59-00:01', 'overflow', 'Datetime value out of range.'],
  ['creation_type', null, 'null', noNull],
  ['creation_type', '', 'invalid_choice', noChoice('')],
  ['creation_type', 'usr', 'invalid_choice', noChoice('usr')],
  ['creation_type', ' USR', 'invalid_choice', noChoice(' USR')],
  ['creation_type', 5, 'invalid_choice', noChoice('5')],
  ['creation_type', true, 'invalid_choice', noChoice('True')],
  ['creation_type', ['USR'], 'invalid_choice', noChoice("['USR']")],
  ['creation_type', { USR: null }, 'invalid_choice', noChoice("{'USR': None}")],
  ['dashboard_item', 999, 'does_not_exist', noRow('999')],
  ['dashboard_item', '999', 'does_not_exist', noRow('999')],
  ['dashboard_item', -1, 'does_not_exist', noRow('-1')],
  ['dashboard_item', 'ten', 'incorrect_type', noKey('str')],
  ['dashboard_item', '10.0', 'incorrect_type', noKey('str')],
  ['dashboard_item', true, 'incorrect_type', noKey('bool')],
  ['dashboard_item', [10], 'incorrect_type', noKey('list')],
  ['dashboard_item', { id: 10 }, 'incorrect_type', noKey('dict')],
  ['deleted', null, 'null', noNull],
  ...['', 'maybe', 'tRUE', ' true', 'null', 2, -1, [], [true], {}].map(notBoolean),
  ['scope', null, 'null', noNull],
  ['scope', '', 'invalid_choice', noChoice('')],
  ['scope', 'Project', 'invalid_choice', noChoice('Project')],
  ['scope', 'dashboard', 'invalid_choice', noChoice('dashboard')],
  ['scope', 'recording', 'invalid_choice', noChoice('recording')],
  ['scope', 7, 'invalid_choice', noChoice('7')],
]

const unchanged = createSimulator().world.annotations.list()
const rows = invalidValues.map((row) => [...row, shortJson(row[1])] as const)

test.each(rows)(
  '$0 refuses $4 with $2, and changes nothing',
  async (field, value, code, detail) => {
    const clients = [await start(), await start({ profile: 'live' })]
    const requests = clients.flatMap((client) => writes.map((write) => ({ client, write })))

    const replies = await Promise.all(
      requests.map(({ client, write: [method, path] }) =>
        client.ask(method, path, { body: { [field]: value } }),
      ),
    )

    expect(replies).toEqual(requests.map(() => invalid(field, code, detail)))
    expect(clients.map(({ simulator }) => simulator.world.annotations.list())).toEqual(
      clients.map(() => unchanged),
    )
  },
)

test.each([
  [{ a: true }, "{'a': True}"],
  [['GIT'], "['GIT']"],
  [5, '5'],
  [true, 'True'],
])('by setting a choice field takes any text, but not %j', async (sent, text) => {
  const { ask } = await start({
    settings: { 'annotations.creation_type.values': 'any', 'annotations.scope.values': 'any' },
  })

  const fields = ['creation_type', 'scope']
  const refused = await Promise.all(
    fields.map((field) => ask('POST', annotationsPath, { body: { [field]: sent } })),
  )
  const body = { creation_type: 'BOT', scope: '' }
  const taken = await ask('PATCH', `${annotationsPath}1/`, { body })

  const detail = `"${text}" is not a valid choice.`
  expect(refused).toEqual(fields.map((field) => invalid(field, 'invalid_choice', detail)))
  expect(taken).toMatchObject({ status: 200, body })
})

test('a body cannot refer to a dashboard item that is deleted, though its annotations keep it', async () => {
  const { ask, simulator } = await start()
  simulator.world.dashboard_items.update(10, { deleted: true })
  const body = { dashboard_item: 10, deleted: true }

  const row = await ask('GET', `${annotationsPath}1/`)
  const refused = await ask('PATCH', `${annotationsPath}1/`, { body })

  expect(row).toMatchObject({ status: 200, body: { dashboard_item: 10 } })
  expect(refused).toEqual(invalid('dashboard_item', 'does_not_exist', noRow('10')))
})
