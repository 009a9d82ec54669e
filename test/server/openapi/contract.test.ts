import { expect, test } from 'vitest'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { describeApi } from '../../../src/server/openapi/api-document.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { jsonHeaders } from '../../support/api/headers.ts'
import { checkExchange } from '../../support/lanes/check-contract.ts'
import { Contract, type HttpExchange } from '../../support/lanes/contract.ts'

// In the contract lane every request and response passes this validator. These tests check that it finds violations.
const contract = new Contract(describeApi(resolvePolicies()))
const headers = jsonHeaders()
const list = 'http://localhost/api/projects/1/annotations/'
const simulator = createSimulator()

/** Creates an annotation. */
async function createAnnotation(): Promise<HttpExchange> {
  const body = { content: 'Launch' }
  const response = await simulator.fetch(list, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return {
    method: 'POST',
    target: '/api/projects/1/annotations/',
    requestHeaders: headers,
    requestBody: body,
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.json(),
  }
}

test('unknown, missing and mistyped fields of a response are violations', async () => {
  const exchange = await createAnnotation()
  const { deleted: _, ...less } = exchange.body as { deleted: boolean }
  const planted = [{ ...less, deleted: false, tags: [] }, less, { ...less, deleted: 'no' }]

  const found = await Promise.all(
    planted.map((body) => contract.findResponseViolation({ ...exchange, body })),
  )

  expect(found.map((violation) => violation?.message)).toEqual([
    expect.stringContaining('must NOT have additional properties'),
    expect.stringContaining("must have required property 'deleted'"),
    expect.stringContaining('/response/deleted must be boolean'),
  ])
})

test('an undescribed status, media type or body of a response is a violation', async () => {
  const exchange = await createAnnotation()
  const planted: Partial<HttpExchange>[] = [
    { status: 418 },
    { contentType: 'text/html', body: '<h1>201</h1>' },
    { status: 404, body: { detail: 'Not found.' } },
  ]

  const found = await Promise.all(
    planted.map((part) => contract.findResponseViolation({ ...exchange, ...part })),
  )

  expect(found.map((violation) => violation?.message)).toEqual([
    "no schema defined for status code '418' in the openapi spec",
    'response of the undescribed type text/html',
    expect.stringContaining("must have required property 'type'"),
  ])
})

test('an invalid value, a missing key and an unknown method of a request are violations', async () => {
  const exchange = await createAnnotation()
  const planted: Partial<HttpExchange>[] = [
    { requestBody: { content: true } },
    { requestHeaders: { 'content-type': 'application/json' } },
    { method: 'PUT' },
  ]

  const found = await Promise.all(
    planted.map((part) => contract.findRequestViolation({ ...exchange, ...part })),
  )

  expect(found.map((violation) => violation?.message)).toEqual([
    expect.stringContaining('request/body/content must be'),
    'Authorization header required',
    'PUT method not allowed',
  ])
})

test('a test fails on an invalid response, and on an invalid request that is accepted', async () => {
  const { body } = await createAnnotation()
  const request = (content: unknown) =>
    new Request(list, { method: 'POST', headers, body: JSON.stringify({ content }) })
  const response =
    (value: object, status = 201) =>
    async () =>
      Response.json(value, { status })

  const good = await checkExchange(simulator, request('Launch'), response(body as object))
  const bad = checkExchange(simulator, request('Launch'), response({ id: 1 }))
  const lenient = checkExchange(simulator, request(true), response(body as object))

  expect(good.status).toBe(201)
  await expect(bad).rejects.toThrow('does not describe POST /api/projects/1/annotations/')
  await expect(lenient).rejects.toThrow('request/body/content must be')
})
