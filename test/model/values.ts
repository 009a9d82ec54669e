import fc from 'fast-check'
import { type Resource, usual } from '../support/api/document.ts'
import type { Body, Meaning, Value } from './request.ts'
import type { Json } from './rows.ts'
import { annotationFields, type Field, pluginFields } from './rules/fields.ts'

const str = (text: string): Value => {
  return { json: JSON.stringify(text), type: 'str', text, value: text }
}

const nothing: Value = { json: 'null', type: 'NoneType', text: 'None', value: null }
const yes: Value = { json: 'true', type: 'bool', text: 'True', value: true }
const no: Value = { json: 'false', type: 'bool', text: 'False', value: false }
const int = (value: number): Value => {
  return { json: String(value), type: 'int', text: String(value), value }
}
const float = (json: string, text: string, constant?: string): Value => {
  return {
    json,
    type: 'float',
    text,
    value: Number(json),
    ...(constant !== undefined && { constant }),
  }
}
const list = (json: string): Value => ({ json, type: 'list', text: json, value: JSON.parse(json) })
const dict = (value: Json): Value => {
  return { json: JSON.stringify(value), type: 'dict', text: '{}', value }
}

const notJson = float('NaN', 'nan', 'NaN')

/** Chooses one, each as often as its weight says. */
export const weighted = <T>(
  ...choices: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> => fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** A value of each type, and of each odd kind. Floats are written as JSON writes them and as Python prints them. */
const anyValue: fc.Arbitrary<Value> = fc.constantFrom(
  ...[nothing, yes, no, int(0), int(1), int(-3)],
  ...[float('1.5', '1.5'), float('1e16', '1e+16'), float('1E-7', '1e-07')],
  ...[list('[]'), dict({}), str(''), str('x'), notJson],
  { ...dict({}), json: '{"low": [-Infinity]}', text: "{'low': [-inf]}", constant: '-Infinity' },
)

const contentText = fc.oneof(
  fc.constantFrom(
    ...['Launch', 'release 2.0', '  spaces around \t', '\u3000wide\u00a0', 'Größe ÄÖÜ'],
    ...['nul\0byte', 'lone \ud800 surrogate', '🦔'.repeat(400), 'a'.repeat(401)],
    ...[`${'b'.repeat(399)}🦔`, ` ${'c'.repeat(400)} `, '__proto__', '50%_off\\'],
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
)

const two = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((part) => String(part).padStart(2, '0'))

/** Dates of each accepted form, and some that no calendar has. */
const dateText = weighted(
  [
    4,
    fc
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
  ],
  [
    1,
    fc.constantFrom(
      ...['2024-06-03', '2024-02-30T00:00:00Z', '2024-06-03T24:00:00Z', '2024-13-01T00:00:00Z'],
      ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'],
      ...['tomorrow', ''],
    ),
  ],
)

type Values = Readonly<Record<string, fc.Arbitrary<Value>>>

const textOf = (texts: readonly string[]) => fc.constantFrom(...texts.map(str))

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
  ...['cleaner', 'export', 'parser', 'notes'].map((name) => `https://github.com/acme/${name}`),
  'http://www.github.com/acme/own',
  'https://gitlab.com/acme/tools/sorter',
  'https://www.npmjs.com/package/@acme/mailer',
)

/** URLs of plugins, with tags that the catalogue has or has not. */
const pluginUrl = weighted(
  [
    6,
    fc
      .tuple(
        address,
        fc.constantFrom('', '', '', '', '', '1', '2', '9b8a7c6', '0.4.0', '2.0.0', 'none'),
        fc.constantFrom('', '?private_token=x', '?'),
        fc.constantFrom('tree', 'commit', 'releases/tag'),
      )
      .map(([start, tag, query, word]) => {
        if (tag === '') return `${start}${query}`
        const before = start.includes('gitlab') ? '-/tree' : start.includes('npm') ? 'v' : word
        return `${start}/${before}/${tag}${query}`
      }),
  ],
  [2, fc.constantFrom('file:/srv/other', 'https://example.com/acme/x', 'acme', '')],
)

/** Values of a field, by its kind: also texts of the most characters and of one more, and words that are no choice. */
function valuesOf({ kind, longest = 0, choices = [] }: Field): fc.Arbitrary<Value> {
  switch (kind) {
    case 'text': {
      const most = Math.min(longest, 5_000)
      return fc.oneof(contentText.map(str), textOf(['t'.repeat(most), 't'.repeat(most + 1)]))
    }
    case 'date':
      return dateText.map(str)
    case 'choice':
      return weighted([4, textOf(choices)], [1, textOf(['', 'usr', 'dashboard', 'Tag'])])
    case 'item':
      return fc.constantFrom(...[10, 11, 12, 13, 99].map(int), str('10'), str('no'))
    case 'flag':
      return fc.constantFrom(yes, yes, no, no, str('on'), str('No'), str('maybe'), int(1), int(2))
    case 'json':
      return structure
  }
}

/** Values of each field that the document shows: those that no body can set are ignored. */
function bodyValues(resource: Resource, fields: Readonly<Record<string, Field>>): Values {
  const names = Object.keys(usual[resource])
  const values = names.map((name) => [
    name,
    fields[name] ? valuesOf(fields[name]) : fc.constant(int(1)),
  ])
  return Object.fromEntries(values)
}

const annotationValues: Values = {
  ...bodyValues('annotation', annotationFields),
  dateMarker: textOf(['soon']),
}
const pluginValues: Values = { ...bodyValues('plugin', pluginFields), url: pluginUrl.map(str) }

/** What a client installs: mostly a URL, and fields that plugin.json overwrites. */
const installValues: Values = {
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
  ...['{}', '{"name": ', '', '["no object"]'].map(str),
  nothing,
)

const sourceValues: Values = {
  'plugin.json': pluginJson,
  'index.ts': fc.constantFrom(...['new code', ''].map(str), nothing, list('["line"]'), notJson),
  'site.ts': fc.constantFrom(str('site'), nothing),
  name: textOf(['a file']),
}

const fieldsMeaning = (fields: Readonly<Record<string, Value>>): Meaning => {
  return { kind: 'fields', fields }
}

const asJson = (means: Meaning, text: string): Body => {
  return { text, contentType: 'application/json', means }
}

function toBody(fields: Readonly<Record<string, Value>>): Body {
  const values = Object.entries(fields)
  const members = values.map(([name, { json }]) => `${JSON.stringify(name)}: ${json}`)
  const constant = values
    .map(([, value]) => value.constant)
    .find((constant) => constant !== undefined)
  return {
    ...asJson(fieldsMeaning(fields), `{${members.join(', ')}}`),
    ...(constant !== undefined && { constant }),
  }
}

/** A form, which only has texts. */
function toForm(fields: Readonly<Record<string, Value>>): Body {
  const pairs = Object.entries(fields).map(([name, { text }]) => [name, text])
  const contentType = 'application/x-www-form-urlencoded'
  return { text: `${new URLSearchParams(pairs)}`, contentType, means: fieldsMeaning(fields) }
}

/** A body with one more field, if it has fields. */
export function withText(body: Body | null, name: string, text: string): Body | null {
  if (body?.means.kind !== 'fields') return body
  const fields = { ...body.means.fields, [name]: str(text) }
  return body.contentType.startsWith('application/json') ? toBody(fields) : toForm(fields)
}

const noObject = (type: Value['type'], text: string) => asJson({ kind: 'other', type }, text)
const malformed = (message: string, text: string) => asJson({ kind: 'malformed', message }, text)

/** Bodies that are no object, or no JSON. */
export const oddBody: fc.Arbitrary<Body | null> = fc.constantFrom(
  null,
  asJson({ kind: 'none' }, ''),
  noObject('NoneType', 'null'),
  // The last of several equal names counts, and odd names are unknown fields.
  asJson(fieldsMeaning({ content: str('b') }), '{"content": "a", "content": "b"}'),
  asJson(
    fieldsMeaning({ constructor: int(1), content: str('c') }),
    '{"__proto__": {"scope": "x"}, "constructor": 1, "content": "c", "__proto__": null}',
  ),
  asJson(fieldsMeaning({}), '\n\t{ } '),
  toBody({ content: str('x'.repeat(1_048_576)) }),
  noObject('list', '[1]'),
  noObject('str', '"text"'),
  noObject('int', '7'),
  noObject('float', '7.5'),
  noObject('bool', 'true'),
  malformed('Expecting property name enclosed in double quotes: line 1 column 2 (char 1)', '{bad'),
  malformed('Expecting value: line 1 column 13 (char 12)', '{"content": }'),
  malformed('Extra data: line 2 column 1 (char 9)', '{"a": 1}\n{}'),
  malformed('Unterminated string starting at: line 1 column 1 (char 0)', '"open'),
  { text: 'content=x', contentType: 'text/plain', means: { kind: 'none' } },
  { ...toBody({ content: str('w') }), contentType: '*/*' },
  toForm({ content: str('a form'), name: str('A form & more') }),
  toForm({ deleted: str('true'), scope: str('organization') }),
  toForm({ is_global: str('on'), plugin_type: str('source') }),
)

/** Some fields. */
const plainBody = (values: Values, requiredKeys: string[] = []): fc.Arbitrary<Body> =>
  fc
    .record(values, { requiredKeys })
    .map((fields) => toBody(fields as Readonly<Record<string, Value>>))

/** Some fields, most of them with a value of the right kind, or an odd body. */
function usualBody(values: Values, required?: string[]): fc.Arbitrary<Body | null> {
  const usual = Object.entries(values).map(([name, value]) => {
    return [name, weighted([12, value], [1, anyValue])]
  })
  return weighted<Body | null>([9, plainBody(Object.fromEntries(usual), required)], [1, oddBody])
}

export const annotationBody: fc.Arbitrary<Body | null> = usualBody(annotationValues)
export const pluginBody: fc.Arbitrary<Body | null> = usualBody(pluginValues)
export const installBody: fc.Arbitrary<Body | null> = usualBody(installValues, ['url'])
export const sourceBody: fc.Arbitrary<Body | null> = usualBody(sourceValues)
