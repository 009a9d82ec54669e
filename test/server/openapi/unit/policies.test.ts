import { expect, test } from 'vitest'
import { type PolicySettings, policies } from '../../../../src/policies/policies.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { createApiDocument } from '../../../../src/server/openapi/api-document.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { authorization } from '../../../support/api/headers.ts'

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

const create = async (...args: Parameters<typeof resolvePolicies>) =>
  (await createApiDocument(resolvePolicies(...args))) as unknown as Document

const id = 'annotations.delete.status'
const values = Object.keys(policies[id].values) as PolicySettings[typeof id][]

test.each(values)(
  'DELETE of an annotation with the policy %s has the described status',
  async (value) => {
    const settings = { [id]: value }
    const { paths } = await create('documented', settings)
    const simulator = createSimulator({ policies: settings })

    const { status } = await simulator.fetch('/api/projects/1/annotations/1/', {
      method: 'DELETE',
      headers: authorization(),
    })

    const operation = paths['/api/projects/{project_id}/annotations/{id}']?.delete
    const described = Object.keys(operation?.responses ?? {})
    expect(described).toContain(String(status))
    const common = ['400', '401', '403', '404', '406', '415', '429', '500']
    expect(described.filter((one) => !common.includes(one))).toEqual(
      common.includes(String(status)) ? [] : [String(status)],
    )
  },
)

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
