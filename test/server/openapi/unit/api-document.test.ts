import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { policies } from '../../../../src/policies/policies.ts'
import type { PolicyValue } from '../../../../src/policies/policy.ts'
import { profiles, resolvePolicies } from '../../../../src/policies/settings.ts'
import { createApiDocument } from '../../../../src/server/openapi/api-document.ts'

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
  readonly 'x-policies': readonly string[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
  readonly 'x-policies': Readonly<Record<string, object>>
}

const create = async (...args: Parameters<typeof resolvePolicies>) =>
  (await createApiDocument(resolvePolicies(...args))) as unknown as Document

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap(Object.values<Operation>)

test('openapi.json has at most 150 kB', () => {
  const url = new URL('../../../../src/api/openapi.json', import.meta.url)

  expect(readFileSync(url).length).toBeLessThan(150_000)
})

test.each(profiles)(
  'every operation of the profile %s has one example per response and request body',
  async (profile) => {
    const document = await create(profile)

    for (const { operationId, requestBody, responses } of operationsOf(document)) {
      const json = requestBody?.content['application/json']
      if (json) expect(json, operationId).toHaveProperty('example')
      const [own, ...others] = Object.values(responses).filter(({ $ref }) => $ref === undefined)
      expect(others, operationId).toEqual([])
      for (const media of Object.values(own?.content ?? {}))
        expect(media, operationId).toHaveProperty('example')
    }
    for (const [name, { content = {} }] of Object.entries(document.components.responses)) {
      const examples = Object.values(content).flatMap((media) => Object.keys(media.examples ?? {}))
      const pascal = examples.map((each) =>
        each.replace(/(^|_)./g, (text) => text.slice(-1).toUpperCase()),
      )
      expect(pascal.join('Or')).toBe(name)
    }
  },
)

test('an operation that is always refused shows its own response', async () => {
  const { paths } = await create()

  expect(
    paths['/api/projects/{project_id}/annotations/{id}']?.delete?.responses['405'],
  ).toMatchObject({
    headers: { allow: { example: 'GET, PATCH, HEAD, OPTIONS' } },
    content: {
      'application/json': {
        example: { detail: 'Method "DELETE" not allowed. Use PATCH with deleted set to true.' },
      },
    },
  })
})

test('policies change the shared error responses', async () => {
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

test('each operation lists its policies, and the document explains each of them', async () => {
  const document = await create()

  const operations = operationsOf(document)
  const listed = new Set(operations.flatMap((operation) => operation['x-policies']))
  expect([...listed].sort()).toEqual(Object.keys(document['x-policies']))
  const { question, values } = policies['methods.put']
  const { meaning, evidence, source } = values.off as PolicyValue
  expect(document['x-policies']['methods.put']).toEqual({
    setting: 'off',
    question,
    answer: meaning,
    evidence,
    source,
  })
  const createAnnotation = operations.find(({ operationId }) => operationId === 'createAnnotation')
  // Read on success, on a bad project id, and for the schema of the body.
  expect(createAnnotation?.['x-policies']).toEqual(
    expect.arrayContaining(['limits.body', 'projects.id.not_a_number', 'fields.nullable']),
  )
  expect(createAnnotation?.['x-policies']).not.toContain('plugins.access_level')
  expect(createAnnotation?.description).toContain('`fields.nullable` = `observed`')
})
