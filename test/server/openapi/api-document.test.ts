import { expect, test } from 'vitest'
import { createApiDocument } from '../../../src/server/openapi/api-document.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'

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
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
  readonly 'x-settings': Readonly<Record<string, object>>
}

const create = async (...args: Parameters<typeof resolveSettings>) =>
  (await createApiDocument(resolveSettings(...args))) as unknown as Document

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(Object.values<Operation>)

test('every operation of the profile live has an example for its response and its request body', async () => {
  for (const { operationId, requestBody, responses } of operationsOf(await create('live'))) {
    const json = requestBody?.content['application/json']
    const [own] = Object.values(responses).filter(({ $ref }) => $ref === undefined)
    for (const media of [...(json ? [json] : []), ...Object.values(own?.content ?? {})]) {
      expect(media, operationId).toHaveProperty('example')
    }
  }
})

test('settings change the shared error responses', async () => {
  const hidden = await create('documented', {
    'keys.insufficient.status': '404',
    'keys.missing.status': '403',
  })
  const html = await create('documented', { 'errors.body': 'html' })
  const announced = await create('documented', {
    'keys.www_authenticate': 'present',
    'limits.retry_after': 'present',
  })

  const listProjects = operationsOf(hidden).find(
    ({ operationId }) => operationId === 'listProjects',
  )
  expect(listProjects?.responses).toMatchObject({
    403: {
      $ref: '#/components/responses/NotAuthenticatedOrAuthenticationFailedOrPermissionDenied',
    },
    404: { $ref: '#/components/responses/NotFound' },
  })
  expect(html.components.responses.NotFound?.content?.['text/html']?.examples).toEqual({
    not_found: { value: expect.stringContaining('<h1>') },
  })
  expect(announced.components.responses).toMatchObject({
    NotAuthenticatedOrAuthenticationFailed: { headers: { 'www-authenticate': {} } },
    Throttled: { headers: { 'retry-after': { example: '12' } } },
  })
})

test('each operation lists its settings, and the document explains each of them', async () => {
  const document = await create()

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
