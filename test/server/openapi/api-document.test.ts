import { expect, test } from 'vitest'
import documented from '../../../src/api/openapi.json' with { type: 'json' }
import live from '../../../src/api/openapi.live.json' with { type: 'json' }

interface MediaType {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, { readonly example: string }>>
  readonly content?: Readonly<Record<string, MediaType>>
}

interface Operation {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-settings': readonly string[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object }>>
  }
  readonly 'x-settings': Readonly<Record<string, object>>
}

const documents = {
  documented: documented as unknown as Document,
  live: live as unknown as Document,
}

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(Object.values<Operation>)

test('every operation of the profile live has an example for its response and its request body', () => {
  for (const { operationId, requestBody, responses } of operationsOf(documents.live)) {
    const json = requestBody?.content['application/json']
    const [own] = Object.values(responses).filter(({ $ref }) => $ref === undefined)
    for (const media of [...(json ? [json] : []), ...Object.values(own?.content ?? {})]) {
      expect.soft(media, operationId).toHaveProperty('example')
    }
  }
})

test('each operation lists its settings, and the document explains each of them', () => {
  const document = documents.documented

  const operations = operationsOf(document)
  const listed = new Set(operations.flatMap((operation) => operation['x-settings']))
  expect([...listed].sort()).toEqual(Object.keys(document['x-settings']))
  const createAnnotation = operations.find(({ operationId }) => operationId === 'createAnnotation')
  // Read on success, for @current, and for the schema of the body.
  expect(createAnnotation?.['x-settings']).toEqual(
    expect.arrayContaining(['limits.body', 'paths.current', 'fields.nullable']),
  )
  expect(createAnnotation?.['x-settings']).not.toContain('plugins.access_level')
})

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: { readonly type: string }
}

test('an id has one type in the paths of all operations, which is that of responses', () => {
  const types = new Set(
    Object.values(documents).flatMap((document) =>
      operationsOf(document).flatMap(({ parameters }) =>
        parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name, schema }) => `${name}: ${schema.type}`),
      ),
    ),
  )

  expect([...types].toSorted()).toEqual([
    'id: integer',
    'organization_id: string',
    'project_id: integer',
  ])
})

test('bodies have the plain types of responses, and x-accepts what is accepted beyond them', () => {
  const { schemas } = documents.documented.components

  expect(schemas.AnnotationChanges?.properties).toEqual({
    content: {
      type: ['string', 'null'],
      maxLength: 400,
      'x-accepts': [
        expect.objectContaining({ type: 'string' }),
        expect.objectContaining({ type: 'number' }),
      ],
    },
    date_marker: {
      type: ['string', 'null'],
      format: 'date-time',
      'x-accepts': [expect.objectContaining({ type: 'string' })],
    },
    creation_type: { type: 'string', enum: ['USR', 'GIT'] },
    dashboard_item: {
      type: ['integer', 'null'],
      'x-accepts': [expect.objectContaining({ type: 'string' })],
    },
    deleted: {
      type: 'boolean',
      'x-accepts': [expect.objectContaining({ enum: expect.any(Array) })],
    },
    scope: { type: 'string', enum: ['dashboard_item', 'project', 'organization'] },
  })
})
