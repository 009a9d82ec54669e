// The JSON Schemas of the package, which `npm run docs` writes: for editors and other languages, from the schemas of zod.
import { readdirSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { endpoints } from '../src/api/endpoints.ts'
import { scenarioVersion } from '../src/scenarios/format/scenario.ts'
import { changeSchemas, requestStepSchema, scenarioSchema } from '../src/scenarios/format/schema.ts'
import { matchers } from '../src/scenarios/format/values.ts'
import { settingsById } from '../src/settings/setting.ts'
import { faultRuleSchema, presetRequestSchema } from '../src/simulator/faults/schema.ts'
import { timeStart, worldSchema, writtenWorldSchema } from '../src/world/schema/world-schema.ts'

/** What editors show at the fields of a world. At those of rows they show the doc comments. */
const worldTexts = {
  $schema: 'The URL of this schema, for editors.',
  format_version: 'The version of this format; default: 1. A later version is refused.',
  now: 'Rows are generated with times of the year before it.',
  seed: 'The seed of generated values.',
  generate: 'The number of rows to generate in each list: see understudy-api/factories.',
  next_ids: 'The least id of the next row of each list; default: the highest id plus one.',
  organizations: 'The organizations. Users, projects and plugins belong to them.',
  projects: 'The projects. Annotations and dashboard items belong to them.',
  users: 'The users. They create annotations and own keys.',
  keys: 'The API keys. The default is the first with full access, else the first; by setting, one whose scopes are null.',
  dashboard_items: 'The dashboard items. Annotations can be attached to them.',
  repository:
    'The catalogue of plugins. Plugins are checked and upgraded from it, and in live installed, offline.',
  plugins: 'The installed plugins.',
  plugin_configs: 'The configurations of plugins in projects.',
  annotations:
    'Notes at a moment in time. The API lists first those without a date_marker, then the newest.',
  activity: 'The activity log of plugins and their configurations.',
}

const scenarioTexts = {
  $schema: 'The URL or path of this schema, for editors.',
  format_version: 'The version of the format. By default 1.',
  world: 'The name of a fixture, or a world. By default the world of the simulator.',
  seed: 'The seed for generated values. By default that of the world.',
  profile: 'A full set of settings. By default the profile of the simulator.',
  settings: 'Settings that differ from the profile.',
  clock: '"real", a time to freeze at, or { mode, now }. By default the clock of the simulator.',
  steps: 'Requests, and changes of the world between them.',
}

const requestTexts = {
  as: 'The label of the key. By default the request has no key, unless its headers contain one.',
  path: 'Relative to the base URL. {name} is a saved value, {{name}} the text {name}.',
  query: 'Added to the path. {name} is a saved value.',
  headers: '{name} is a saved value.',
  body: 'Sent as JSON. { "$saved": "name" } is a saved value, { "$saved": "…{name}…" } a text with some.',
  text: 'Sent as it is, instead of a JSON body.',
  expect: 'The expected response. Fields that are left out are not compared.',
  save: 'Values of the response body for later steps: JSON Pointers by name.',
}

const responseTexts = {
  status: 'A status such as 404, a class of them such as "4xx", or 0 for no response.',
  headers: 'By name. Null expects that the response has no such header.',
  body: 'A part of the body. { "$match": "id" } matches any id that is a number.',
  exact_body: 'The whole body. The response can have no other fields.',
  text: 'The whole body as text. { "$saved": "…{base_url}…" } for a text with URLs of the API.',
  broken: 'The connection breaks before the response, or within its body.',
}

/** A field of a row is required, unless loading a world has a default for it. With `generate`, no field is required. */
export function worldJsonSchema() {
  const schema = toJsonSchema(writtenWorldSchema())
  describe(schema.properties, worldTexts)
  for (const [list, texts] of Object.entries(rowTexts())) {
    describe(schema.properties[list].items.properties, texts)
  }
  const description =
    'The rows and keys of one simulated Plugin and Annotation Management API. Every list is optional.'
  return headed('world', description, schema)
}

/** Refers to no other file. */
export function scenarioJsonSchema() {
  const head = toJsonSchema(scenarioSchema)
  const request = toJsonSchema(requestStepSchema)
  const { body, expect, save } = request.properties
  const leftOut = only({ $match: { const: 'any' } }, ['$match'])
  Object.assign(body, { anyOf: [ref('sent'), leftOut] })
  Object.assign(expect.properties.body, ref('expected'))
  Object.assign(expect.properties.exact_body, ref('expected'))
  Object.assign(expect.properties.headers.additionalProperties, ref('expected'))
  expect.properties.status = statusSchema
  head.properties.format_version.maximum = scenarioVersion
  const { changes, definitions } = changeSteps(save)
  const steps = { type: 'array', minItems: 1, items: { anyOf: [request, ...changes] } }
  Object.assign(head.properties, {
    world: { anyOf: [text, ref('world')] },
    settings: ref('settings'),
    clock: ref('clock'),
    steps,
  })
  describe(head.properties, scenarioTexts)
  describe(request.properties, requestTexts)
  describe(expect.properties, responseTexts)
  const sendable = { $saved: text, $literal: {} }
  const $defs = {
    saved: only({ $saved: text }),
    sent: { anyOf: valuesOf(ref('sent'), sendable) },
    expected: {
      anyOf: valuesOf(ref('expected'), {
        $match: { type: 'string', enum: Object.keys(matchers) },
        ...sendable,
      }),
    },
    settings: settingsSchema(),
    clock: clockSchema(),
    world: worldWithAnyWords(),
    ...definitions,
  }
  const description =
    'A sequence of requests with their expected responses, and changes of the world between them.'
  return headed('scenario', description, { ...head, $defs })
}

const text = { type: 'string' }
const ref = (name) => ({ $ref: `#/$defs/${name}` })
const only = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const anyOneOf = (fields) => ({
  anyOf: Object.entries(fields).map(([name, value]) => only({ [name]: value })),
})

const statusSchema = {
  anyOf: [
    { type: 'integer', enum: [0] },
    { type: 'integer', minimum: 100, maximum: 599 },
    { type: 'string', pattern: '^(0|[1-5][xX]{2}|[1-5][0-9]{2})$' },
  ],
}

/** Any JSON value whose fields start with no `$`, except those of the special values. */
function valuesOf(inner, specialValues) {
  return [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: inner },
    { type: 'object', propertyNames: { pattern: '^($|[^$])' }, additionalProperties: inner },
    ...anyOneOf(specialValues).anyOf,
  ]
}

/** The steps that change something. Every scalar of a change can be a saved value. */
function changeSteps(save) {
  const shared = { world: ref('world'), settings: ref('settings'), clock: ref('clock') }
  const title = z.string().optional()
  const fault = z.union([faultRuleSchema, presetRequestSchema])
  const other = Object.entries({ ...changeSchemas(), fault }).flatMap(([kind, schema]) => {
    if (kind in shared) return []
    const saved = kind === 'rows' ? { save: z.unknown().optional() } : {}
    return z.strictObject({ title, [kind]: schema, ...saved })
  })
  const all = toJsonSchema(z.tuple(other), { reused: 'ref' })
  const { prefixItems, $defs } = allowSavedValues(withWholeTypes(all, all.$defs))
  for (const { properties } of prefixItems) {
    properties.title = text
    if (properties.save) properties.save = save
  }
  const ofShared = Object.entries(shared).map(([kind, schema]) =>
    only({ title: text, [kind]: schema }, [kind]),
  )
  return { changes: [...ofShared, ...prefixItems], definitions: $defs }
}

/** Puts a definition in the place of a reference with more keywords, which has no type otherwise. */
function withWholeTypes(node, definitions) {
  if (Array.isArray(node)) return node.map((inner) => withWholeTypes(inner, definitions))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node
  const hasMore = typeof $ref === 'string' && Object.keys(rest).length > 0
  const whole = hasMore ? { ...definitions[$ref.replace('#/$defs/', '')], ...rest } : node
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [name, withWholeTypes(inner, definitions)]),
  )
}

function allowSavedValues(node, field = '') {
  if (Array.isArray(node)) return node.map((inner) => allowSavedValues(inner))
  if (typeof node !== 'object' || node === null) return node
  const isScalar = ['integer', 'number', 'string'].includes(node.type) && !('const' in node)
  if (field === 'operation') {
    const id = { type: 'string', enum: endpoints.map(({ operation }) => operation) }
    return { anyOf: [id, { type: 'array', minItems: 1, items: id }, ref('saved')] }
  }
  if (isScalar) return { anyOf: [node, ref('saved')] }
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) =>
      ['required', 'enum', 'propertyNames'].includes(name)
        ? [name, inner]
        : [name, allowSavedValues(inner, name)],
    ),
  )
}

/** The allowed values of each setting. A number can be a text, too. */
function settingsSchema() {
  const properties = Object.entries(settingsById).map(([id, { question, values }]) => {
    const { integer } = values
    if (integer) {
      const { minimum, maximum } = integer
      const anyOf = [
        { type: 'integer', minimum, maximum },
        { type: 'string', pattern: '^[0-9]+$' },
      ]
      return [id, { description: question, anyOf }]
    }
    const names = Object.keys(values)
    const numbers = names.map(Number).filter((value) => names.includes(String(value)))
    return [id, { description: question, enum: [...names, ...numbers] }]
  })
  return only(Object.fromEntries(properties), [])
}

function clockSchema() {
  const time = { type: 'string', pattern: timeStart }
  const modes = (...names) => ({ type: 'string', enum: names })
  return {
    anyOf: [
      modes('real'),
      time,
      only({ mode: modes('real') }),
      only({ mode: modes('frozen', 'ticking'), now: time }, ['mode']),
    ],
  }
}

/** A setting can allow any text in some fields of a world. */
function worldWithAnyWords() {
  const schema = toJsonSchema(worldSchema().omit({ generate: true }))
  const { annotations, plugins } = schema.properties
  Object.assign(annotations.items.properties, { scope: text, creation_type: text })
  plugins.items.properties.plugin_type = { anyOf: [text, { type: 'null' }] }
  return schema
}

function describe(properties, texts) {
  for (const [name, description] of Object.entries(texts)) {
    if (properties[name]) properties[name] = { ...properties[name], description }
  }
}

function toJsonSchema(schema, more) {
  const options = { io: 'input', target: 'draft-2020-12', unrepresentable: 'any', ...more }
  const { $schema: _, ...rest } = z.toJSONSchema(schema, options)
  return rest
}

function headed(name, description, schema) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:understudy-api:${name}.schema.json`,
    title: name[0].toUpperCase() + name.slice(1),
    description,
    ...schema,
  }
}

/**
 * The first paragraph of the doc comment of each field of a row, by list: what editors show, in one place.
 *
 * @returns {Record<string, Record<string, string>>} such as { annotations: { content: 'At most 400 characters.' } }
 */
export function rowTexts() {
  const world = new URL('../src/world/', import.meta.url)
  const entities = new URL('entities/', world)
  const source = readdirSync(entities).map((file) => readFileSync(new URL(file, entities), 'utf8'))
  const interfaces = new Map(
    [...source.join('\n').matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(
      ([, name, body]) => [name, textsOf(body)],
    ),
  )
  const rows = readFileSync(new URL('rows.ts', world), 'utf8')
  const lists = [...rows.matchAll(/^ {2}(\w+): (\w+Row)$/gm)]
  return Object.fromEntries(lists.map(([, list, name]) => [list, interfaces.get(name)]))
}

function textsOf(body) {
  const commented = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g)
  return Object.fromEntries(
    [...commented].map(([, comment, name]) => {
      const lines = comment.split('\n').map((line) => line.replace(/^ *\*? ?/, '').trimEnd())
      const [first] = lines.join('\n').trim().split('\n\n')
      return [name, first.replaceAll('\n', ' ')]
    }),
  )
}
