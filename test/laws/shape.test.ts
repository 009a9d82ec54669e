import { expect, test } from 'vitest'
import * as z from 'zod'
import { toJsonSchema } from '../../src/adapters/openapi/json-schema.ts'
import type { World } from '../../src/api/endpoints.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import type { FailureName } from '../../src/http/failures.ts'
import { failureFormats } from '../../src/http/failures.ts'
import { isByPolicy, resolveByPolicy } from '../../src/policies/by-policy.ts'
import type { PolicySettings } from '../../src/policies/policies.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import type { RequestOptions } from '../support/lanes/client.ts'
import { start } from '../support/lanes/start.ts'

const settings = resolvePolicies('documented')

test.each(documentedEndpoints)(
  '$id answers its status and its shape [§4:fields] [§5:fields]',
  async (endpoint) => {
    const { ask } = await start()

    const answer = await ask(endpoint.method, endpointPath(endpoint), sampleBody(endpoint))

    expect(answer.status).toBe(resolveByPolicy(endpoint.status, settings))
    if (answer.status >= 400) return
    expect(faultsOf(answer.body, endpoint, settings)).toBe(null)
  },
)

/** What is wrong with a body by the document of the API, which allows no field that it does not name. */
function faultsOf(body: unknown, { response }: Endpoint<World>, set: PolicySettings) {
  const schema = toJsonSchema(resolveByPolicy(response, set), 'output', set)
  return z.fromJSONSchema(schema as never).safeParse(body).error?.message ?? null
}

const byPolicy = documentedEndpoints.filter(({ response }) => isByPolicy(response))

test.each(byPolicy)('$id answers the shape that its policy says [§10:extras]', async (endpoint) => {
  if (!isByPolicy(endpoint.response)) return
  const { policy, choices } = endpoint.response
  for (const setting of Object.keys(choices)) {
    const { ask } = await start({ policies: { [policy]: setting } })
    const answer = await ask(endpoint.method, endpointPath(endpoint), sampleBody(endpoint))
    expect(answer.status, setting).toBe(200)
    const changed = resolvePolicies('documented', { [policy]: setting })
    expect(faultsOf(answer.body, endpoint, changed), setting).toBe(null)
  }
})

/** A request that makes an endpoint refuse in that way. */
const provocations: Partial<
  Record<FailureName, RequestOptions & { id?: number; world?: 'empty' }>
> = {
  not_found: { id: 999, world: 'empty', body: {} },
  method_not_allowed: {},
  parse_error: { raw: '{', headers: { 'content-type': 'application/json' } },
  unsupported_media_type: { raw: 'x', headers: { 'content-type': 'text/plain' } },
  body_too_large: { body: { content: 'x'.repeat(64), name: 'x'.repeat(64) } },
  validation_error: { body: { deleted: 'maybe', is_global: 'maybe' } },
}
const declared = documentedEndpoints.flatMap((endpoint) =>
  resolveByPolicy(endpoint.errors, settings).map((error) => ({ endpoint, error, id: endpoint.id })),
)

test.each(declared)('$id can refuse with $error [§1:envelope]', async ({ endpoint, error }) => {
  const { id, world = 'default', ...asked } = provocations[error] ?? {}
  const { ask } = await start({ world, policies: { 'limits.body': 64 } })
  const { body, ...rest } = asked
  const sent = endpoint.body ? asked : rest

  const answer = await ask(endpoint.method, endpointPath(endpoint, id), sent)

  const { status, type } = failureFormats[error]
  expect(answer).toEqual({
    status,
    body: {
      type,
      code: expect.any(String),
      detail: expect.any(String),
      attr: answer.status === 400 && error === 'validation_error' ? expect.any(String) : null,
    },
  })
})

test('every failure that is declared can be provoked', () => {
  const names = new Set(declared.map(({ error }) => error))

  expect([...names].filter((name) => !provocations[name])).toEqual([])
})
