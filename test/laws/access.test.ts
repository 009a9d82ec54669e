import { expect, test } from 'vitest'
import { resolveByPolicy } from '../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import { start } from '../support/lanes/start.ts'

const settings = resolvePolicies('documented')
const scopes = ['annotation:read', 'annotation:write', 'plugin:read', 'plugin:write'] as const
const missing = {
  type: 'authentication_error',
  code: 'not_authenticated',
  detail: 'Authentication credentials were not provided.',
  attr: null,
}

test.each(documentedEndpoints)('$id asks for a key [§1:no-key]', async (endpoint) => {
  const { ask } = await start()
  const asked = [endpoint.method, endpointPath(endpoint)] as const

  expect(await ask(...asked, { key: null })).toEqual({ status: 401, body: missing })
})

test.each(documentedEndpoints)(
  '$id takes what is malformed for no key [§2:header]',
  async (endpoint) => {
    const { ask } = await start()
    const asked = [endpoint.method, endpointPath(endpoint)] as const

    for (const authorization of [
      'bearer phx_all',
      'Token phx_all',
      'Basic cGh4',
      'Bearer',
      'Bearer x',
      'phx_all',
    ]) {
      const answer = await ask(...asked, { key: null, headers: { authorization } })
      expect(answer, authorization).toEqual({ status: 401, body: missing })
    }
  },
)

test.each(documentedEndpoints)(
  '$id refuses a key that nobody has [§1:unknown-key]',
  async (endpoint) => {
    const { ask } = await start()

    const answer = await ask(endpoint.method, endpointPath(endpoint), { key: 'phx_nobody' })

    expect(answer).toEqual({
      status: 401,
      body: {
        ...missing,
        code: 'authentication_failed',
        detail: 'Personal API key found in request Authorization header is invalid.',
      },
    })
  },
)

test.each(documentedEndpoints)(
  '$id lets in the keys that have its scope, and no others [§1:scope-missing]',
  async (endpoint) => {
    const { ask, simulator } = await start()
    const needed = resolveByPolicy(endpoint.scope, settings)

    for (const scope of scopes) {
      const key = simulator.keys.issue({ scopes: [scope] })
      const answer = await ask(endpoint.method, endpointPath(endpoint), {
        key,
        ...sampleBody(endpoint),
      })
      if (needed === 'any_key' || needed === scope) {
        expect(answer.status, scope).not.toBe(403)
        expect(answer.status, scope).not.toBe(401)
        continue
      }
      expect(answer, scope).toEqual({
        status: 403,
        body: {
          type: 'authentication_error',
          code: 'permission_denied',
          detail: `API key missing required scope '${needed}'`,
          attr: null,
        },
      })
    }
  },
)
