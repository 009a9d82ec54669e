import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { shortJson } from '../../support/api/short-json.ts'
import { start } from '../../support/transports/start.ts'

type InvalidValue = readonly [field: string, value: unknown, code: string, detail: string]

const texts = ['name', 'description', 'icon', 'tag']
const limits = Object.entries({ name: 200, icon: 800, tag: 200 })

const invalidValues: readonly InvalidValue[] = [
  ...[true, false, [], ['x']].map(
    (value): InvalidValue => ['name', value, 'invalid_input', 'Not a valid string.'],
  ),
  [
    'name',
    'a\ud800b',
    'surrogate_characters_not_allowed',
    'Surrogate characters are not allowed: U+D800.',
  ],
  ...texts.flatMap((field): InvalidValue[] => [
    [field, {}, 'invalid_input', 'Not a valid string.'],
    [field, 'a\0b', 'null_characters_not_allowed', 'Null characters are not allowed.'],
  ]),
  ...limits.map(
    ([field, limit]): InvalidValue => [
      field,
      'x'.repeat(limit + 1),
      'max_length',
      `Ensure this field has no more than ${limit} characters.`,
    ],
  ),
  ...['robot', 'Local', 'local,custom', 'inline'].map(
    (value): InvalidValue => [
      'plugin_type',
      value,
      'invalid_choice',
      `"${value}" is not a valid choice.`,
    ],
  ),
  ['plugin_type', 5, 'invalid_choice', '"5" is not a valid choice.'],
  ['plugin_type', true, 'invalid_choice', '"True" is not a valid choice.'],
  ['plugin_type', ['local'], 'invalid_choice', `"['local']" is not a valid choice.`],
  ['plugin_type', {}, 'invalid_choice', '"{}" is not a valid choice.'],
  ...['maybe', '', 2, -1, [], {}, [true], 'tRUE'].map(
    (value): InvalidValue => ['is_global', value, 'invalid_input', 'Must be a valid boolean.'],
  ),
  ['is_global', null, 'null', 'This field may not be null.'],
]

const writes = [
  ['POST', plugins],
  ['PATCH', `${plugins}1/`],
  ['PATCH', `${plugins}1/update_source/`],
  ['POST', `${plugins}1/upgrade/`],
] as const
const rows = invalidValues.map((row) => [...row, shortJson(row[1])] as const)

test.each(rows)(
  'every operation refuses the $0 $4 with $2, and changes nothing',
  async (field, value, code, detail) => {
    const { ask, simulator } = await start({ world: 'empty' })
    simulator.world.plugins.add({ id: 1 })

    const replies = await Promise.all(
      writes.map(([method, path]) => ask(method, path, { body: { [field]: value } })),
    )

    expect(replies).toEqual(writes.map(() => invalid(field, code, detail)))
    expect(await ask('GET', `${plugins}1/`)).toEqual({ status: 200, body: bare })
    expect(simulator.world.plugins.count).toBe(1)
  },
)

type AcceptedValue = readonly [field: string, sent: unknown, stored?: unknown]

const anyJson = [{}, [], ['a', [{ b: null }]], { a: { b: [1.5] } }, 'text', '', 0, true, false]

const values: readonly AcceptedValue[] = [
  ['name', ''],
  ['name', ' \t\n ', ''],
  ['name', '  Export – „Ægir“ 🦔 "x" \\ \u2028 ', 'Export – „Ægir“ 🦔 "x" \\'],
  ['name', -0.5, '-0.5'],
  ...texts.flatMap((field): AcceptedValue[] => [
    [field, null],
    [field, ' 5 ', '5'],
  ]),
  ...limits.map(([field, limit]): AcceptedValue => [field, '🦔'.repeat(limit)]),
  ...limits.map(
    ([field, limit]): AcceptedValue => [field, ` ${'x'.repeat(limit)} `, 'x'.repeat(limit)],
  ),
  ['description', 'x'.repeat(100_000)],
  ...[null, '', 'local', 'custom', 'repository', 'source'].map(
    (value): AcceptedValue => ['plugin_type', value],
  ),
  ...[true, 1, 'yes'].map((value): AcceptedValue => ['is_global', value, true]),
  ...[false, 0, 'off'].map((value): AcceptedValue => ['is_global', value, false]),
  ...anyJson.map((value): AcceptedValue => ['config_schema', value]),
  ...['config_schema', 'capabilities', 'metrics', 'public_jobs'].flatMap((field) =>
    [null, ['a', { b: 1.5 }]].map((value): AcceptedValue => [field, value]),
  ),
]

const accepted = values.map(([field, sent, stored = sent]) => [field, sent, stored] as const)

test.each(accepted)('$0 accepts $1 and stores $2', async (field, value, stored) => {
  const { ask } = await start({ world: 'empty' })
  const other = { name: 'Before', tag: 'before', is_global: !stored }
  await ask('POST', plugins, { body: other })

  const created = await ask('POST', plugins, { body: { [field]: value } })
  const updated = await ask('PATCH', `${plugins}1/`, { body: { [field]: value } })

  expect(created).toEqual({ status: 201, body: { ...bare, id: 2, [field]: stored } })
  expect(updated).toEqual({ status: 200, body: { ...bare, ...other, [field]: stored } })
  expect(await ask('GET', `${plugins}1/`)).toEqual(updated)
  expect(await ask('GET', `${plugins}2/`)).toEqual({ status: 200, body: created.body })
})
