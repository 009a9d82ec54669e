import { expect, test } from 'vitest'
import { createApiDocument } from '../../../src/server/openapi/api-document.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>
  }
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: object }
  readonly responses: object
}

const create = async (...args: Parameters<typeof resolveSettings>) =>
  (await createApiDocument(resolveSettings(...args))) as unknown as Document

test('the document of the profile live has the reviewed operations, statuses and fields', async () => {
  const { paths, components } = await create('live')

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) =>
      [
        `${method.toUpperCase()} ${path}`,
        `parameters: ${list(parameters.map(({ name }) => name))}`,
        `body: ${list(Object.keys(requestBody?.content ?? {}))}`,
        `responses: ${list(Object.keys(responses))}`,
      ].join('\n  '),
    ),
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, { properties = {} }]) => `${name}: ${list(Object.keys(properties))}`,
  )
  // npm run docs writes it.
  await expect(`${[...operations, ...schemas].join('\n')}\n`).toMatchFileSnapshot(
    './live.outline.txt',
  )
})

const list = (names: readonly string[]) => names.join(', ') || 'none'

test.each([
  ['server_error', { type: 'integer' }],
  [
    'usual',
    {
      anyOf: [
        { type: 'integer', minimum: 1, default: 1 },
        { type: 'string', description: 'Any other value counts as the default.' },
      ],
    },
  ],
] as const)(
  'the parameter page of activity is described for crashes as %s',
  async (crashes, schema) => {
    const { paths } = await create('live', { 'plugins.extras.crashes': crashes })

    const { parameters } = paths['/api/organizations/{organization_id}/plugins/activity']?.get ?? {}

    expect(parameters?.find(({ name }) => name === 'page')).toMatchObject({ schema })
  },
)
