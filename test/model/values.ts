import fc from 'fast-check'
import type { Body, Meaning, Value } from './request.ts'
import type { Json } from './rows.ts'
import {
  type AnnotationFields,
  annotationFields,
  type PluginFields,
  pluginFields,
} from './rules/fields.ts'

export const str = (text: string): Value => ({
  json: JSON.stringify(text),
  type: 'str',
  text,
  value: text,
})

const nothing: Value = { json: 'null', type: 'NoneType', text: 'None', value: null }
const yes: Value = { json: 'true', type: 'bool', text: 'True', value: true }
const no: Value = { json: 'false', type: 'bool', text: 'False', value: false }
const int = (value: number): Value => ({
  json: String(value),
  type: 'int',
  text: String(value),
  value,
})
const float = (json: string, text: string, constant?: string): Value => ({
  json,
  type: 'float',
  text,
  value: Number(json),
  ...(constant !== undefined && { constant }),
})
const list = (json: string): Value => ({ json, type: 'list', text: json, value: JSON.parse(json) })
const dict = (value: Json): Value => ({
  json: JSON.stringify(value),
  type: 'dict',
  text: '{}',
  value,
})

/** A value of each type, and of each odd kind. Floats are written as JSON writes them and as Python prints them. */
const anyValue: fc.Arbitrary<Value> = fc.constantFrom(
  nothing,
  yes,
  no,
  int(0),
  int(1),
  int(-3),
  float('1.5', '1.5'),
  float('1e16', '1e+16'),
  float('1E-7', '1e-07'),
  list('[]'),
  dict({}),
  str(''),
  str('x'),
  float('NaN', 'nan', 'NaN'),
  { ...dict({}), json: '{"low": [-Infinity]}', text: "{'low': [-inf]}", constant: '-Infinity' },
)

const contentText = fc.oneof(
  fc.constantFrom(
    'Launch',
    'release 2.0',
    '  spaces around \t',
    '\u3000wide\u00a0',
    'Größe ÄÖÜ',
    'nul\0byte',
    'lone \ud800 surrogate',
    '🦔'.repeat(400),
    'a'.repeat(401),
    `${'b'.repeat(399)}🦔`,
    ` ${'c'.repeat(400)} `,
    '__proto__',
    '50%_off\\',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
)

const two = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((part) => String(part).padStart(2, '0'))

/** Dates of each accepted form, and some that no calendar has. */
const dateText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('2024', '2023', '1999', '2000'),
        two(1, 12),
        two(1, 31),
        fc.constantFrom('T', ' '),
        two(0, 23),
        two(0, 59),
        fc.constantFrom('', ':07', ':59.5', ':00.000001', ':30.1234569', ':00.000'),
        fc.constantFrom('Z', '', '+02:00', '-11:30'),
      )
      .map(([y, m, d, t, h, min, rest, zone]) => `${y}-${m}-${d}${t}${h}:${min}${rest}${zone}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2024-06-03',
      '2024-02-30T00:00:00Z',
      '2024-06-03T24:00:00Z',
      '2024-13-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      'tomorrow',
      '',
    ),
  },
)

const textOf = (texts: readonly string[]) => fc.constantFrom(...texts.map(str))

/** Fields that cannot be written, and one that does not exist. */
type Ignored = 'id' | 'created_at' | 'dateMarker'

type TextField<F> = {
  [Name in keyof F]: F[Name] extends { longest: number } ? Name : never
}[keyof F]

/** Texts of each text field: of many kinds, and of the most characters and one more. */
const textValues = <F extends object>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { longest }]) =>
      longest === undefined
        ? []
        : [
            [
              name,
              fc.oneof(
                contentText.map(str),
                textOf(['t'.repeat(longest), 't'.repeat(longest + 1)]),
              ),
            ],
          ],
    ),
  ) as Record<TextField<F>, fc.Arbitrary<Value>>

const annotationValues: Readonly<Record<keyof AnnotationFields | Ignored, fc.Arbitrary<Value>>> = {
  ...textValues(annotationFields),
  date_marker: dateText.map(str),
  creation_type: textOf(['USR', 'GIT', 'usr', '']),
  dashboard_item: fc.constantFrom(
    int(10),
    int(11),
    int(12),
    int(13),
    int(99),
    str('10'),
    str('no'),
  ),
  deleted: fc.constantFrom(yes, yes, no, no, str('on'), str('No'), str('maybe'), int(1), int(2)),
  scope: textOf(['dashboard_item', 'project', 'organization', 'organization', 'dashboard', 'Tag']),
  id: fc.constantFrom(int(1)),
  created_at: textOf(['2001-01-01T00:00:00Z']),
  dateMarker: textOf(['soon']),
}

const structure = fc.constantFrom<Value>(
  nothing,
  dict({ methods: ['onEvent'], nested: { deep: [1, null] } }),
  list('[{"key":"a"}]'),
  list('[]'),
  str('text'),
  int(7),
  no,
)

const address = fc.constantFrom(
  'https://github.com/acme/cleaner',
  'https://github.com/acme/export',
  'https://github.com/acme/notes',
  'https://github.com/acme/notes',
  'http://www.github.com/acme/own',
  'https://gitlab.com/acme/tools/sorter',
  'https://www.npmjs.com/package/@acme/mailer',
)

/** URLs of plugins, with tags that the catalogue has or has not. */
const pluginUrl = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        address,
        fc.constantFrom('', '', '1', '2', '3f2c1d0', '9b8a7c6', '0.4.0', '2.0.0', 'none'),
        fc.constantFrom('', '', '', '?private_token=x'),
        fc.constantFrom('tree', 'commit', 'releases/tag'),
      )
      .map(([start, tag, query, word]) => {
        if (tag === '') return `${start}${query}`
        const before = start.includes('gitlab') ? '-/tree' : start.includes('npm') ? 'v' : word
        return `${start}/${before}/${tag}${query}`
      }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('file:/srv/other', 'https://example.com/acme/x', 'acme', ''),
  },
)

const pluginValues: Readonly<
  Record<keyof PluginFields | 'url' | 'latest_tag', fc.Arbitrary<Value>>
> = {
  plugin_type: fc.constantFrom(
    str('local'),
    str('custom'),
    str('source'),
    str(''),
    nothing,
    str('x'),
  ),
  ...textValues(pluginFields),
  description: fc.oneof(contentText.map(str), textOf(['d'.repeat(5000)])),
  config_schema: structure,
  is_global: fc.constantFrom(yes, no, str('true'), nothing),
  capabilities: structure,
  metrics: structure,
  public_jobs: structure,
  url: pluginUrl.map(str),
  latest_tag: textOf(['9.9.9']),
}

/** What a client installs: mostly a URL, and fields that plugin.json overwrites. */
const installValues: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  url: pluginUrl.map(str),
  plugin_type: fc.constantFrom(str('custom'), str('repository'), str('source'), nothing),
  name: textOf(['Mine']),
  config_schema: fc.constantFrom(list('[{"key":"a"}]'), dict({})),
  is_global: fc.constantFrom(yes, no, no),
  capabilities: fc.constant(dict({ methods: ['onEvent'] })),
  tag: textOf(['own']),
}

const pluginJson = fc.constantFrom(
  str('{"name": "Renamed", "config": [{"key": "token", "secret": true}]}'),
  str('{"name": "Renamed again"}'),
  str('{"config": {"host": {"secret": true}}}'),
  str('{}'),
  str('{"name": '),
  str('["no object"]'),
  nothing,
)

const sourceValues: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  'plugin.json': pluginJson,
  'index.ts': fc.constantFrom(str('new code'), str(''), nothing, int(3), list('["line"]')),
  'site.ts': fc.constantFrom(str('site'), nothing),
  name: textOf(['a file']),
}

/** Some fields, most of them with a value of the right kind. */
function fieldsOf(
  values: Readonly<Record<string, fc.Arbitrary<Value>>>,
  required: string[] = [],
): fc.Arbitrary<Meaning> {
  const usual = Object.fromEntries(
    Object.entries(values).map(([name, arbitrary]) => [
      name,
      fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: anyValue }),
    ]),
  )
  return fc
    .record(usual, { requiredKeys: required })
    .map((fields) => ({ kind: 'fields' as const, fields: withoutUndefined(fields) }))
}

function withoutUndefined<T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(fields).filter((pair): pair is [string, T] => pair[1] !== undefined),
  )
}

const asJson = (means: Meaning, text: string): Body => ({
  text,
  contentType: 'application/json',
  means,
})

function toBody(means: Meaning): Body {
  if (means.kind !== 'fields') throw new Error('Only fields have one text')
  const values = Object.entries(means.fields)
  const members = values.map(([name, { json }]) => `${JSON.stringify(name)}: ${json}`)
  const constant = values.map(([, value]) => value.constant).find((one) => one !== undefined)
  return {
    ...asJson(means, `{${members.join(', ')}}`),
    ...(constant !== undefined && { constant }),
  }
}

/** A form, which only has texts. */
function toForm(means: Meaning): Body {
  const fields = means.kind === 'fields' ? Object.entries(means.fields) : []
  const text = new URLSearchParams(fields.map(([name, value]) => [name, value.text])).toString()
  return { text, contentType: 'application/x-www-form-urlencoded', means }
}

/** A body with one more field, if it has fields. */
export function withText(body: Body | null, name: string, text: string): Body | null {
  if (body?.means.kind !== 'fields') return body
  const means: Meaning = { kind: 'fields', fields: { ...body.means.fields, [name]: str(text) } }
  return body.contentType.startsWith('application/json') ? toBody(means) : toForm(means)
}

/** Bodies that are no object, or no JSON. */
export const oddBody: fc.Arbitrary<Body | null> = fc.constantFrom(
  null,
  asJson({ kind: 'none' }, ''),
  asJson({ kind: 'other', type: 'NoneType' }, 'null'),
  // The last of several equal names counts, and odd names are unknown fields.
  asJson({ kind: 'fields', fields: { content: str('b') } }, '{"content": "a", "content": "b"}'),
  asJson(
    { kind: 'fields', fields: { constructor: int(1), content: str('c') } },
    '{"__proto__": {"scope": "x"}, "constructor": 1, "content": "c", "__proto__": null}',
  ),
  asJson({ kind: 'fields', fields: {} }, '\n\t{ } '),
  toBody({ kind: 'fields', fields: { content: str('x'.repeat(1_048_576)) } }),
  asJson({ kind: 'other', type: 'list' }, '[1]'),
  asJson({ kind: 'other', type: 'str' }, '"text"'),
  asJson({ kind: 'other', type: 'int' }, '7'),
  asJson({ kind: 'other', type: 'float' }, '7.5'),
  asJson({ kind: 'other', type: 'bool' }, 'true'),
  asJson(
    {
      kind: 'malformed',
      message: 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    },
    '{bad',
  ),
  asJson(
    { kind: 'malformed', message: 'Expecting value: line 1 column 13 (char 12)' },
    '{"content": }',
  ),
  asJson({ kind: 'malformed', message: 'Extra data: line 2 column 1 (char 9)' }, '{"a": 1}\n{}'),
  asJson(
    { kind: 'malformed', message: 'Unterminated string starting at: line 1 column 1 (char 0)' },
    '"open',
  ),
  { text: 'content=x', contentType: 'text/plain', means: { kind: 'none' } },
  { ...toBody({ kind: 'fields', fields: { content: str('w') } }), contentType: '*/*' },
  toForm({ kind: 'fields', fields: { content: str('a form'), name: str('A form & more') } }),
  toForm({ kind: 'fields', fields: { deleted: str('true'), scope: str('organization') } }),
  toForm({ kind: 'fields', fields: { is_global: str('on'), plugin_type: str('source') } }),
)

const either = (fields: fc.Arbitrary<Meaning>): fc.Arbitrary<Body | null> =>
  fc.oneof({ weight: 9, arbitrary: fields.map(toBody) }, { weight: 1, arbitrary: oddBody })

export const annotationBody: fc.Arbitrary<Body | null> = either(fieldsOf(annotationValues))
export const pluginBody: fc.Arbitrary<Body | null> = either(fieldsOf(pluginValues))
export const installBody: fc.Arbitrary<Body | null> = either(fieldsOf(installValues, ['url']))
export const sourceBody: fc.Arbitrary<Body | null> = either(fieldsOf(sourceValues))

/** Valid bodies with few fields, which concurrent clients send. */
export const plainBodies: Readonly<Record<'annotations' | 'plugins', fc.Arbitrary<Body>>> = {
  annotations: plainBody({
    content: textOf(['First', 'Second', 'Third']),
    scope: textOf(['project', 'organization']),
    deleted: fc.constantFrom(yes, no),
    creation_type: textOf(['USR', 'GIT']),
  }),
  plugins: plainBody({
    name: textOf(['First', 'Second', 'Third']),
    tag: textOf(['1', '2']),
    is_global: fc.constantFrom(yes, no),
    metrics: structure,
    plugin_type: textOf(['source']),
    url: textOf(['https://github.com/acme/notes', 'https://github.com/acme/own']),
  }),
}

function plainBody(values: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Body> {
  return fc
    .record(values, { requiredKeys: [] })
    .map((fields) => toBody({ kind: 'fields', fields: withoutUndefined(fields) }))
}
