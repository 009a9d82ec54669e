import { expect, test } from 'vitest'
import * as z from 'zod'
import { toJsonSchema } from '../../.tools/openapi/json-schema.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { type FailureName, failureFormats } from '../../src/http/failures.ts'
import { isBySetting, resolveBySetting } from '../../src/settings/by-setting.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import type { SettingValues } from '../../src/settings/setting.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import type { RequestOptions } from '../support/lanes/client.ts'
import { start } from '../support/lanes/start.ts'

const settings = resolveSettings('documented')

test.each(documentedEndpoints)(
  '$id returns its status and a body of its shape, or an error',
  async (endpoint) => {
    const { ask } = await start()

    const { status, body } = await ask(
      endpoint.method,
      endpointPath(endpoint),
      sampleBody(endpoint),
    )

    expect(status).toBe(resolveBySetting(endpoint.status, settings))
    if (status < 400) expect(findShapeIssues(body, endpoint, settings)).toBe(null)
    else expect(body).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
  },
)

/** Validates a body by the schema of the OpenAPI document, which allows no other fields. Returns null for a valid body. */
function findShapeIssues(body: unknown, { response }: Endpoint, settings: SettingValues) {
  const schema = toJsonSchema(resolveBySetting(response, settings), 'output', settings)
  return z.fromJSONSchema(schema as never).safeParse(body).error?.message ?? null
}

const bySetting = documentedEndpoints.flatMap((endpoint) =>
  isBySetting(endpoint.response) ? [{ ...endpoint.response, id: endpoint.id, endpoint }] : [],
)

test.each(bySetting)(
  '$id returns the shape that its setting sets',
  async ({ setting, choices, endpoint }) => {
    for (const value of Object.keys(choices)) {
      const { ask } = await start({ settings: { [setting]: value } })
      const { status, body } = await ask(
        endpoint.method,
        endpointPath(endpoint),
        sampleBody(endpoint),
      )
      expect(status, value).toBe(200)
      const changed = resolveSettings('documented', { [setting]: value })
      expect(findShapeIssues(body, endpoint, changed), value).toBe(null)
    }
  },
)

/** Requests that cause each failure. */
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
  resolveBySetting(endpoint.errors, settings).map((error) => ({
    endpoint,
    error,
    id: endpoint.id,
  })),
)

test.each(declared)('$id can fail with $error', async ({ endpoint, error }) => {
  const { id, world = 'default', ...options } = provocations[error] ?? {}
  const { ask } = await start({ world, settings: { 'limits.body': 64 } })
  const { body: _, ...withoutBody } = options

  const response = await ask(
    endpoint.method,
    endpointPath(endpoint, id),
    endpoint.body ? options : withoutBody,
  )

  const { status, type } = failureFormats[error]
  expect(response).toEqual({
    status,
    body: {
      type,
      code: expect.any(String),
      detail: expect.any(String),
      attr: status === 400 && error === 'validation_error' ? expect.any(String) : null,
    },
  })
})

test('every declared failure has a request that causes it', () => {
  const names = new Set(declared.map(({ error }) => error))

  expect([...names].filter((name) => !provocations[name])).toEqual([])
})
