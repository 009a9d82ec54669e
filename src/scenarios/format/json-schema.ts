import * as z from 'zod'
import { isObject } from '../../utils/json.ts'
import { type ChangeKind, changeKinds } from './scenario.ts'
import { changeStepSchema, requestStepSchema, scenarioHeadSchema } from './schema.ts'

/** The descriptions that editors show for the fields of a scenario. */
const descriptions: Readonly<Record<string, string>> = {
  $schema: 'The URL or path of this schema, for editors.',
  format_version: 'The version of the format. By default 1.',
  world: 'The name of a fixture, or a world. By default the world of the simulator.',
  seed: 'The seed for generated values. By default that of the world.',
  profile: 'A full set of policies. By default the profile of the simulator.',
  policies: 'Policies that differ from the profile.',
  clock: '"real", a time to freeze at, or { mode, time }. By default the clock of the simulator.',
  steps: 'Requests, and changes of the world between them.',
}

const requestDescriptions: Readonly<Record<string, string>> = {
  as: 'The label of the key. By default the request has no key.',
  path: 'Relative to the base URL. {name} is a saved value, {{name}} the text {name}.',
  query: 'Added to the path. {name} is a saved value.',
  headers: '{name} is a saved value.',
  body: 'Sent as JSON. { "$saved": "name" } and { "$text": "…{name}…" } are saved values.',
  text: 'Sent as it is, instead of a JSON body.',
  base64: 'Binary data in base64, instead of a JSON body.',
  expect: 'The expected response. Fields that are left out are not compared.',
  save: 'Values of the response body for later steps: JSON Pointers by name.',
}

const responseDescriptions: Readonly<Record<string, string>> = {
  status: 'A status such as 404, or a class of them such as "4xx".',
  headers: 'By name. Null expects that the response has no such header.',
  body: 'A part of the body. { "$match": "id" } and { "$pattern": "…" } match many values.',
  exact_body: 'The whole body. The response can have no other fields.',
  text: 'The body as text, byte for byte. { "$text": "…{base_url}…" } for a text with URLs of the API.',
  base64: 'The body in base64, byte for byte, if it is binary.',
  broken: 'The connection breaks before the response, or within its body.',
}

interface Node {
  description?: string
  readonly properties: Readonly<Record<string, Node>>
}

/**
 * The JSON Schema of scenario files, for editors and other languages.
 *
 * @example JSON.stringify(scenarioJsonSchema(), null, 2) // scenarios/scenario.schema.json
 */
export function scenarioJsonSchema(): object {
  const { $schema, ...head } = toJsonSchema(scenarioHeadSchema.omit({ world: true }))
  const request = toBareJsonSchema(requestStepSchema) as unknown as Node
  const { steps, $defs } = stepsOf(request)
  const properties = {
    ...(head.properties as object),
    world,
    steps,
  } as unknown as Node['properties']
  describe(properties, descriptions)
  describe(request.properties, requestDescriptions)
  describe((request.properties.expect as Node).properties, responseDescriptions)
  return {
    $schema,
    title: 'Scenario',
    description:
      'A sequence of requests with their expected responses, and changes of the world between them.',
    ...head,
    properties,
    required: [...(head.required as string[]), 'steps'],
    $defs: { saved: toBareJsonSchema(savedValue), ...$defs },
  }
}

/** The schema of worlds is in the folder of the fixtures, in the package as in the repository. */
const worldReference = { $ref: '../fixtures/world.schema.json' }
const world = { anyOf: [{ type: 'string' }, worldReference] }

const savedValue = z.union([
  z.strictObject({ $saved: z.string() }),
  z.strictObject({ $text: z.string() }),
])

/** In these changes, every scalar can be a saved value. */
const kindsWithSavedValues: readonly ChangeKind[] = ['rows', 'update', 'delete', 'actor']

function stepsOf(request: unknown): { steps: object; $defs: object } {
  const plain = changeKinds.filter(
    (kind) => !kindsWithSavedValues.includes(kind) && kind !== 'world',
  )
  const [first, ...others] = kindsWithSavedValues.map(changeStepSchema) as [
    z.ZodObject,
    ...z.ZodObject[],
  ]
  const rows = toJsonSchema(z.tuple([first, ...others]), { reused: 'ref' })
  const { prefixItems, $defs } = allowSavedValues(rows) as { prefixItems: object[]; $defs: object }
  const replaced = toBareJsonSchema(changeStepSchema('world').omit({ world: true }))
  const properties = { ...(replaced.properties as object), world: worldReference }
  const kinds = [
    request,
    { ...replaced, properties, required: ['world'] },
    ...plain.map((kind) => toBareJsonSchema(changeStepSchema(kind))),
    ...prefixItems,
  ]
  return { steps: { type: 'array', minItems: 1, items: { anyOf: kinds } }, $defs }
}

function allowSavedValues(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(allowSavedValues)
  if (!isObject(node)) return node
  const isScalar =
    ['integer', 'number', 'string'].includes(node.type as string) && !('const' in node)
  if (isScalar) return { anyOf: [node, { $ref: '#/$defs/saved' }] }
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) =>
      ['required', 'enum', 'propertyNames'].includes(name)
        ? [name, inner]
        : [name, allowSavedValues(inner)],
    ),
  )
}

function describe(properties: Node['properties'], texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) (properties[name] as Node).description = text
}

function toBareJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema)
  return rest
}

function toJsonSchema(
  schema: z.ZodType,
  options: { reused?: 'ref' } = {},
): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    ...options,
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Record<string, unknown>
}
