import { expect, test } from 'vitest'
import document from '../../src/api/openapi.json' with { type: 'json' }
import live from '../../src/api/openapi.live.json' with { type: 'json' }
import type { Scope } from '../../src/index.ts'
import {
  type DocumentedOperation,
  operations,
  pathOf,
  shownFields,
  writableFields,
} from '../support/api/document.ts'
import {
  forbidden,
  invalidKey,
  notAllowed,
  unauthenticated,
  unsupported,
} from '../support/api/errors.ts'
import { start } from '../support/transports/start.ts'

const profiles = ['documented', 'live'] as const
const inBoth = operations.flatMap((operation) =>
  profiles.map((profile) => ({ ...operation, profile, scope: operation[profile] })),
)

/** A body with which an operation succeeds in both profiles. */
const bodyOf = ({ body }: DocumentedOperation) => (body ? { body: { plugin_type: 'source' } } : {})

test.each(inBoth)('in $profile $id requires a valid key', async (operation) => {
  const { ask } = await start({ profile: operation.profile })
  const [method, path] = [operation.method, pathOf(operation)]

  const missing = await ask(method, path, { key: null })
  const headers = { authorization: 'Token phx_all' }
  const unread = await ask(method, path, { key: null, headers })
  const unknown = await ask(method, path, { key: 'phx_nobody' })

  expect(missing).toEqual(unauthenticated())
  expect(unread).toEqual(unauthenticated())
  expect(unknown).toEqual(invalidKey())
})

const granted: readonly (readonly Scope[] | null)[] = [
  ['annotation:read'],
  ['annotation:write'],
  ['plugin:read'],
  ['plugin:write'],
  ['project:read'],
  ['annotation:write', 'plugin:read', 'project:write'],
  ['*'],
  [],
  null,
]

test.each(inBoth)('in $profile $id accepts keys with the scope $scope', async (operation) => {
  const { method, profile, scope, status } = operation

  const { ask, simulator } = await start({ profile })

  const replies: unknown[] = []
  for (const scopes of granted) {
    simulator.reset()
    const key = simulator.keys.issue({ scopes: scopes && [...scopes] })
    const reply = await ask(method, pathOf(operation), { key, ...bodyOf(operation) })
    replies.push({ scopes, reply: reply.status === status ? status : reply })
  }

  const refused =
    scope === 'none' ? unsupported() : forbidden(`API key missing required scope '${scope}'`)
  expect(replies).toEqual(
    granted.map((scopes) => ({
      scopes,
      reply: isGranted(scopes, scope, profile) ? status : refused,
    })),
  )
})

/** In the document, a scope to write is none to read, and no scopes are none. In the service, it is, and no scopes are all. */
function isGranted(scopes: readonly Scope[] | null, scope: string, profile: string): boolean {
  const isUnlimited = scopes === null || (scopes.length === 0 && profile === 'live')
  if (isUnlimited || scope === 'any') return true
  if (scope === 'none') return false
  const writes = profile === 'live' ? [scope.replace(':read', ':write')] : []
  return ['*', scope, ...writes].some((name) => scopes.includes(name as Scope))
}

const whereFieldsAre = 'A field of responses has a line in test/support/api/document.ts.'
const answered = operations.filter(({ response }) => response !== null)

test.each(answered)('$id returns the fields of the document, in its order', async (operation) => {
  const { ask } = await start()

  const { body } = await ask(operation.method, pathOf(operation), bodyOf(operation))

  const shape = operation.response as 'annotation'
  expect(Object.keys(body as object), whereFieldsAre).toEqual(shownFields[shape])
  const author = Object(body).created_by
  if (shape === 'annotation') expect(Object.keys(author)).toEqual(shownFields.created_by)
})

test.each(operations.filter(({ body }) => body))(
  '$id reads the fields that the document allows in bodies, and no others',
  async ({ id, method, path, body, response }) => {
    const { ask } = await start()
    const resource = body as 'plugin'
    const sent = writableFields(resource)
    const own = shownFields[resource].filter((name) => !(name in sent) && name !== 'url')
    const readOnly = Object.fromEntries(own.map((name) => [name, 'ignored']))

    const reply = await ask(method, pathOf({ path }), { body: { ...sent, ...readOnly } })

    // What the two do to the row is not shown.
    const isKept = !['updatePluginSource', 'upgradePlugin'].includes(id)
    expect(Object.keys(reply.body as object), whereFieldsAre).toEqual(
      shownFields[response as 'plugin'],
    )
    if (isKept) expect(reply.body).toMatchObject(sent)
    expect(Object.values(reply.body as object)).not.toContain('ignored')
  },
)

const paths = [...new Set(operations.map(({ path }) => path))]

test.each(profiles.flatMap((profile) => paths.map((path) => ({ profile, path }))))(
  'in $profile OPTIONS of $path is an empty response to every key, and needs one',
  async ({ profile, path }) => {
    const client = await start({ profile })
    const { ask, simulator } = client

    const statuses = await Promise.all(
      granted.map(async (scopes) => {
        const key = simulator.keys.issue({ scopes: scopes && [...scopes] })
        return (await ask('OPTIONS', pathOf({ path }), { key })).status
      }),
    )

    expect(statuses).toEqual(granted.map(() => 200))
    const response = await client.send('OPTIONS', pathOf({ path }))
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['0', ''])
    expect(await ask('OPTIONS', pathOf({ path }), { key: null })).toEqual(unauthenticated())
  },
)

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

test.each(paths)(
  '%s has the methods of the document, with and without a slash at its end',
  async (path) => {
    const served = operations.filter((operation) => operation.path === path)
    const find = (method: string) =>
      served.find((operation) => operation.method === (method === 'HEAD' ? 'GET' : method))

    const requests = methods.flatMap((method) => ['', '/'].map((slash) => ({ method, slash })))

    const { ask, simulator } = await start()

    const replies: unknown[] = []
    for (const { method, slash } of requests) {
      simulator.reset()
      const body = /^P/.test(method) ? { body: { plugin_type: 'source' } } : {}
      const reply = await ask(method, pathOf({ path }) + slash, body)
      replies.push([method, slash, find(method) ? reply.status : reply])
    }

    expect(replies).toEqual(
      requests.map(({ method, slash }) => [
        method,
        slash,
        find(method)?.status ?? refusalOf(method),
      ]),
    )
  },
)

const refusalOf = (method: string) =>
  method === 'HEAD' ? { status: 405, body: undefined } : notAllowed(method)

interface Described {
  readonly operationId: string
  readonly security: readonly { readonly personalApiKey?: readonly string[] }[]
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: { 'application/json': { schema: { $ref: string } } } }
  readonly responses: Readonly<Record<string, unknown>>
}

// Generators name the values of an enumeration: some write `null` and an empty name, which do not compile.
test.each([
  ['documented', document],
  ['live', live],
])(
  'no enumeration of the document of the profile %s has null or an empty text',
  (_, { components }) => {
    const unnamed: unknown[] = []
    JSON.stringify(components.schemas, (_name, value) => {
      const { enum: values } = Object(value)
      if (Array.isArray(values) && values.some((word) => word === null || word === ''))
        unnamed.push(value)
      return value
    })

    expect(unnamed).toEqual([])
  },
)

test('the OpenAPI document describes the operations of the document', () => {
  const { schemas } = document.components
  const described = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries<Described>(byMethod).map(([method, operation]) => ({
      id: operation.operationId,
      request: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      scopes: operation.security.map(({ personalApiKey }) => personalApiKey),
      query: operation.parameters?.map(({ name }) => name).filter((name) => !/id$/.test(name)),
      body: operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1),
      isListed:
        `${operations.find(({ id }) => id === operation.operationId)?.status}` in
        operation.responses,
    })),
  )

  expect(
    described,
    'Each operation has its row in test/support/api/document.ts, beside those of its path.',
  ).toEqual(
    operations.map(({ id, method, path, documented, query, body }) => ({
      id,
      request: `${method} ${path}`,
      scopes: [documented === 'any' ? [] : [documented]],
      query,
      body: body ? { plugin: 'PluginChanges', annotation: 'AnnotationChanges' }[body] : undefined,
      isListed: true,
    })),
  )
  const names = Object.entries({
    Plugin: shownFields.plugin,
    Annotation: shownFields.annotation,
    PluginPage: shownFields.page,
    AnnotationPage: shownFields.page,
    PluginChanges: Object.keys(writableFields('plugin')),
    AnnotationChanges: Object.keys(writableFields('annotation')),
  })
  const properties = (name: string) => Object.keys(schemas[name as keyof typeof schemas].properties)
  expect(names.map(([name]) => [name, properties(name)])).toEqual(names)
})
