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
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, Response>>
  readonly 'x-settings': readonly string[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
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
      expect(media, operationId).toHaveProperty('example')
    }
  }
})

test('each operation lists its settings, and the document explains each of them', () => {
  const document = documents.documented

  const operations = operationsOf(document)
  const listed = new Set(operations.flatMap((operation) => operation['x-settings']))
  expect([...listed].sort()).toEqual(Object.keys(document['x-settings']))
  const createAnnotation = operations.find(({ operationId }) => operationId === 'createAnnotation')
  // Read on success, on a bad project id, and for the schema of the body.
  expect(createAnnotation?.['x-settings']).toEqual(
    expect.arrayContaining(['limits.body', 'projects.id.not_a_number', 'fields.nullable']),
  )
  expect(createAnnotation?.['x-settings']).not.toContain('plugins.access_level')
})
