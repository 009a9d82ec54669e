import { expect, test } from 'vitest'
import { resolveBySetting } from '../../src/settings/by-setting.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import { start } from '../support/lanes/start.ts'

const settings = resolveSettings('documented')
const scopes = ['annotation:read', 'annotation:write', 'plugin:read', 'plugin:write'] as const
const missing = {
  type: 'authentication_error',
  code: 'not_authenticated',
  detail: 'Authentication credentials were not provided.',
  attr: null,
}

test.each(documentedEndpoints)('$id requires a key', async (endpoint) => {
  const { ask } = await start()

  expect(await ask(endpoint.method, endpointPath(endpoint), { key: null })).toEqual({
    status: 401,
    body: missing,
  })
})

test.each(documentedEndpoints)('$id ignores a malformed Authorization header', async (endpoint) => {
  const { ask } = await start()
  const path = endpointPath(endpoint)

  for (const authorization of [
    'bearer phx_all',
    'Token phx_all',
    'Basic cGh4',
    'Bearer',
    'Bearer x',
    'phx_all',
  ]) {
    const response = await ask(endpoint.method, path, { key: null, headers: { authorization } })
    expect(response, authorization).toEqual({ status: 401, body: missing })
  }
})

test.each(documentedEndpoints)('$id rejects an unknown key', async (endpoint) => {
  const { ask } = await start()

  const response = await ask(endpoint.method, endpointPath(endpoint), { key: 'phx_nobody' })

  expect(response).toEqual({
    status: 401,
    body: {
      ...missing,
      code: 'authentication_failed',
      detail: 'Personal API key found in request Authorization header is invalid.',
    },
  })
})

test.each(documentedEndpoints)('$id accepts only keys with its scope', async (endpoint) => {
  const { ask, simulator } = await start()
  const required = resolveBySetting(endpoint.scope, settings)

  for (const scope of scopes) {
    const key = simulator.keys.issue({ scopes: [scope] })
    const response = await ask(endpoint.method, endpointPath(endpoint), {
      key,
      ...sampleBody(endpoint),
    })
    if (required === 'any_key' || required === scope) {
      expect(response.status, scope).not.toBe(403)
      expect(response.status, scope).not.toBe(401)
      continue
    }
    expect(response, scope).toEqual({
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'permission_denied',
        detail: `API key missing required scope '${required}'`,
        attr: null,
      },
    })
  }
})
