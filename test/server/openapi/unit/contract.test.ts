import { expect, test } from 'vitest'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import { describeApi } from '../../../../src/server/openapi/api-document.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { checkExchange } from '../../../support/lanes/check-contract.ts'
import { Contract, type HttpExchange } from '../../../support/lanes/contract.ts'

// Every request and answer of the lane http goes through this validator: here it is seen to find what is wrong.
const contract = new Contract(describeApi(resolvePolicies()))
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
const list = 'http://localhost/api/projects/1/annotations/'
const simulator = createSimulator()

/** The creation of an annotation as it went. */
async function created(): Promise<HttpExchange> {
  const body = { content: 'Launch' }
  const answer = await simulator.fetch(list, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return {
    method: 'POST',
    target: '/api/projects/1/annotations/',
    requestHeaders: headers,
    requestBody: body,
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    body: await answer.json(),
  }
}

test('an exchange that went as the document says has no violation', async () => {
  const exchange = await created()

  expect([
    await contract.findRequestViolation(exchange),
    await contract.findResponseViolation(exchange),
  ]).toEqual([null, null])
})

test('a field too many, one that is missing and one of another type are found in an answer', async () => {
  const exchange = await created()
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

test('a status, a type and a body that nobody described are found', async () => {
  const exchange = await created()
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

test('a value that a field does not take, no key, and a method that is not there are found in a request', async () => {
  const exchange = await created()
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

test('a test that sees such an answer fails, and so does one whose bad request is not refused', async () => {
  const { body } = await created()
  const request = (content: unknown) =>
    new Request(list, { method: 'POST', headers, body: JSON.stringify({ content }) })
  const answer =
    (value: object, status = 201) =>
    async () =>
      Response.json(value, { status })

  const good = await checkExchange(simulator, request('Launch'), answer(body as object))
  const bad = checkExchange(simulator, request('Launch'), answer({ id: 1 }))
  const lenient = checkExchange(simulator, request(true), answer(body as object))

  expect(good.status).toBe(201)
  await expect(bad).rejects.toThrow('Failed to hold POST /api/projects/1/annotations/')
  await expect(lenient).rejects.toThrow('request/body/content must be')
})
