import * as z from 'zod'
import { isObject } from '../../utils/json.ts'
import { type ChangeKind, changeKinds } from './scenario.ts'
import { changeStepSchema, requestStepSchema, scenarioHeadSchema } from './schema.ts'

/** What an editor shows beside a field. */
const descriptions: Readonly<Record<string, string>> = {
  $schema: 'Address of this schema, for editors.',
  format_version: 'Of this format; 1 when missing. A file of a later one is refused.',
  world: 'The name of a fixture, or a world. What is not said is as where it is replayed.',
  seed: 'What generated values follow from; by default that of the world.',
  profile: 'A full set of policies.',
  policies: 'Policies that differ from the profile.',
  clock: '"real", a time to stand still at, or { mode, time }.',
  steps: 'Requests, and changes of the world between them.',
}

const requestDescriptions: Readonly<Record<string, string>> = {
  as: 'The label of a key; without one the request has none.',
  path: 'From the base URL on; {name} stands for a saved value, {{name}} for itself.',
  query: 'Added to the path. {name} stands for a saved value.',
  headers: '{name} stands for a saved value.',
  body: 'Sent as JSON. { "$saved": "name" } and { "$text": "…{name}…" } stand for saved values.',
  text: 'Sent as it is, in place of a body.',
  base64: 'Bytes that are no text, in base64, in place of a body.',
  expect: 'What is left out does not matter.',
  save: 'Values of the answer for later steps: JSON Pointers into its body, by name.',
}

const responseDescriptions: Readonly<Record<string, string>> = {
  status: 'Such as 404 or "4xx".',
  headers: 'By name; null for one that is not there.',
  body: 'Part of the body. { "$match": "id" } and { "$pattern": "…" } stand for many values.',
  exact_body: 'The whole body: no more fields than these.',
  text: 'The body as it was sent, byte for byte; { "$text": "…{base_url}…" } where it has addresses.',
  base64: 'The body in base64, byte for byte, where it is no text.',
  broken: 'The connection breaks in place of an answer, or within its body.',
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
      'What happened once, to happen again: requests, what they are answered, and changes of the world.',
    ...head,
    properties,
    required: [...(head.required as string[]), 'steps'],
    $defs: { saved: toBareJsonSchema(savedValue), ...$defs },
  }
}

/** Its schema stands beside the fixtures, in the package as in the repository. */
const worldReference = { $ref: '../fixtures/world.schema.json' }
const world = { anyOf: [{ type: 'string' }, worldReference] }

const savedValue = z.union([
  z.strictObject({ $saved: z.string() }),
  z.strictObject({ $text: z.string() }),
])

/** In rows and second actors a saved value may stand for each single one. */
const kindsWithSavedValues: readonly ChangeKind[] = ['rows', 'update', 'delete', 'actor']

function stepsOf(request: unknown): { steps: object; $defs: object } {
  const plain = changeKinds.filter(
    (word) => !kindsWithSavedValues.includes(word) && word !== 'world',
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
    ...plain.map((word) => toBareJsonSchema(changeStepSchema(word))),
    ...prefixItems,
  ]
  return { steps: { type: 'array', minItems: 1, items: { anyOf: kinds } }, $defs }
}

function allowSavedValues(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(allowSavedValues)
  if (!isObject(node)) return node
  const isSingle =
    ['integer', 'number', 'string'].includes(node.type as string) && !('const' in node)
  if (isSingle) return { anyOf: [node, { $ref: '#/$defs/saved' }] }
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

function toJsonSchema(schema: z.ZodType, more: { reused?: 'ref' } = {}): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    ...more,
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Record<string, unknown>
}
