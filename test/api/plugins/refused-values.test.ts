import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { shortJson } from '../../support/api/short-json.ts'
import { start } from '../../support/transports/start.ts'

interface Fault {
  readonly field: string
  readonly value: unknown
  readonly code: string
  readonly detail: string
}

const fault = (field: string, value: unknown, code: string, detail: string): Fault => ({
  field,
  value,
  code,
  detail,
})
const texts = ['name', 'description', 'icon', 'tag']
const limits = Object.entries({ name: 200, icon: 800, tag: 200 })

const faults: readonly Fault[] = [
  ...[true, false, [], ['x']].map((value) =>
    fault('name', value, 'invalid_input', 'Not a valid string.'),
  ),
  fault(
    'name',
    'a\ud800b',
    'surrogate_characters_not_allowed',
    'Surrogate characters are not allowed: U+D800.',
  ),
  ...texts.flatMap((field) => [
    fault(field, {}, 'invalid_input', 'Not a valid string.'),
    fault(field, 'a\0b', 'null_characters_not_allowed', 'Null characters are not allowed.'),
  ]),
  ...limits.map(([field, limit]) =>
    fault(
      field,
      'x'.repeat(limit + 1),
      'max_length',
      `Ensure this field has no more than ${limit} characters.`,
    ),
  ),
  ...['robot', 'Local', 'local,custom', 'inline'].map((value) =>
    fault('plugin_type', value, 'invalid_choice', `"${value}" is not a valid choice.`),
  ),
  fault('plugin_type', 5, 'invalid_choice', '"5" is not a valid choice.'),
  fault('plugin_type', true, 'invalid_choice', '"True" is not a valid choice.'),
  fault('plugin_type', ['local'], 'invalid_choice', `"['local']" is not a valid choice.`),
  fault('plugin_type', {}, 'invalid_choice', '"{}" is not a valid choice.'),
  ...['maybe', '', 2, -1, [], {}, [true], 'tRUE'].map((value) =>
    fault('is_global', value, 'invalid_input', 'Must be a valid boolean.'),
  ),
  fault('is_global', null, 'null', 'This field may not be null.'),
]

const writes = [
  ['POST', plugins],
  ['PATCH', `${plugins}1/`],
  ['PATCH', `${plugins}1/update_source/`],
  ['POST', `${plugins}1/upgrade/`],
] as const
const rows = faults.map((row) => ({ ...row, shown: shortJson(row.value) }))

test.each(rows)(
  'every operation refuses the $field $shown with $code, and changes nothing',
  async ({ field, value, code, detail }) => {
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

interface AcceptedCase {
  readonly field: string
  readonly value: unknown
  readonly stored: unknown
}

const accepted = (field: string, value: unknown, stored: unknown = value): AcceptedCase => ({
  field,
  value,
  stored,
})
const anyJson = [{}, [], ['a', [{ b: null }]], { a: { b: [1.5] } }, 'text', '', 0, true, false]

const values: readonly AcceptedCase[] = [
  accepted('name', ''),
  accepted('name', ' \t\n ', ''),
  accepted('name', '  Export – „Ægir“ 🦔 "x" \\ \u2028 ', 'Export – „Ægir“ 🦔 "x" \\'),
  accepted('name', -0.5, '-0.5'),
  ...texts.flatMap((field) => [accepted(field, null), accepted(field, ' 5 ', '5')]),
  ...limits.map(([field, limit]) => accepted(field, '🦔'.repeat(limit))),
  ...limits.map(([field, limit]) => accepted(field, ` ${'x'.repeat(limit)} `, 'x'.repeat(limit))),
  accepted('description', 'x'.repeat(100_000)),
  ...[null, '', 'local', 'custom', 'repository', 'source'].map((value) =>
    accepted('plugin_type', value),
  ),
  ...[true, 1, 'yes'].map((value) => accepted('is_global', value, true)),
  ...[false, 0, 'off'].map((value) => accepted('is_global', value, false)),
  ...anyJson.map((value) => accepted('config_schema', value)),
  ...['config_schema', 'capabilities', 'metrics', 'public_jobs'].flatMap((field) =>
    [null, ['a', { b: 1.5 }]].map((value) => accepted(field, value)),
  ),
]

test.each(values)('$field accepts and stores $value', async ({ field, value, stored }) => {
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
