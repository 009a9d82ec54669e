import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { allControlEndpoints } from '../../../src/server/control/endpoints.ts'
import { examples } from '../../support/control/examples.ts'
import { start } from '../../support/lanes/start.ts'

interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: object }[]
  readonly requestBody?: { content: { 'application/json': { schema: object } } }
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>>
}

interface Document {
  readonly openapi: string
  readonly info: object
  readonly tags: readonly { name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<'schemas' | 'responses', Readonly<Record<string, object>>>>
}

const read = async () => {
  const { ask } = await start()
  return (await ask('GET', '/__admin/openapi.json', { key: null })).body as Document
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

test('the document describes the parameters, bodies and responses of every operation', async () => {
  const document = await read()

  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Understudy control API', version: packageJson.version },
  })
  expect(
    operationsOf(document)
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual(allControlEndpoints.map(({ id }) => id).sort())
  expect(document.paths['/__admin/sandboxes/{id}']).toMatchObject({
    get: {
      operationId: 'retrieveSandbox',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Sandbox' } } },
        },
        401: { $ref: '#/components/responses/NotAuthenticated' },
        404: { $ref: '#/components/responses/NotFound' },
      },
    },
    delete: { responses: { 204: { description: expect.any(String) } } },
  })
  expect(document.components.responses).toMatchObject({
    NotAuthenticated: { description: 'not_authenticated' },
    NotFound: { description: 'not_found' },
  })
  expect(document.paths['/__admin/sandboxes']?.post?.responses).toHaveProperty('429')
  expect(document.paths['/__admin/why']?.get?.parameters).toMatchObject([
    { name: 'resource', in: 'query', required: true },
    { name: 'id', in: 'query', required: true },
  ])
})

test('every tag has a description', async () => {
  const document = await read()

  const used = new Set(operationsOf(document).flatMap(({ tags }) => tags))
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
})

test('the document describes the expectations that verify accepts', async () => {
  const { paths } = await read()

  const schema = paths['/__admin/verify']?.post?.requestBody?.content['application/json']
    ?.schema as { anyOf: { properties: object }[] }
  expect(schema.anyOf.map(({ properties }) => Object.keys(properties))).toEqual([
    ['operation', 'body', 'key', 'status', 'count', 'at_least', 'at_most'],
    ['in_order'],
  ])
})

test('every server returns the same bytes', async () => {
  const [one, two] = [await start(), await start({ world: 'empty', profile: 'live' })]
  const text = async (server: typeof one) =>
    (await server.send('GET', '/__admin/openapi.json', { key: null })).text()

  expect(await text(two)).toBe(await text(one))
})

test('the document has the structure of OpenAPI 3.1: parameters, bodies, responses, references', async () => {
  const document = await read()

  for (const { path, method, parameters, requestBody, responses } of operationsOf(document)) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(inPath.map(({ name, required }) => [name, required])).toEqual(
      names.map((name) => [name, true]),
    )
    expect(['get', 'put', 'post', 'patch', 'delete']).toContain(method)
    if (method === 'get' || method === 'delete') expect(requestBody).toBeUndefined()
    expect(Object.keys(responses).filter((status) => /^2\d\d$/.test(status))).toHaveLength(1)
    expect(Object.keys(responses).every((status) => /^[2-5]\d\d$/.test(status))).toBe(true)
    expect(responses['204']?.content).toBeUndefined()
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(100)
  for (const [, reference = ''] of references) {
    const path = /^#\/components\/((?:schemas|responses)\/\w+)$/.exec(reference)?.[1] ?? reference
    expect(document.components).toHaveProperty(path.split('/'))
  }
})

test('the described schemas accept the bodies of the examples', async () => {
  const document = await read()

  const withBody = operationsOf(document).filter(({ requestBody }) => requestBody)
  expect(withBody.map(({ operationId }) => operationId).sort()).toEqual(
    Object.keys(examples)
      .filter((id) => examples[id]?.body !== undefined)
      .sort(),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { operationId, requestBody } of withBody) {
    const schema = requestBody?.content['application/json'].schema
    // The references of the schema lead to the components of the document.
    const validate = ajv.compile({ ...schema, components: document.components })
    validate(examples[operationId]?.body)
    expect(validate.errors, operationId).toBeNull()
  }
})

test('only worlds can have a row in each line', async () => {
  const withLines = operationsOf(await read()).filter(
    ({ requestBody }) => 'application/x-ndjson' in Object(requestBody?.content),
  )

  expect(withLines.map(({ operationId }) => operationId)).toEqual([
    'replaceWorld',
    'importSnapshot',
  ])
})
