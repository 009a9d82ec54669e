import { expect, test } from 'vitest'
import {
  createNetworkError,
  htmlResponse,
  isSimulatedNetworkError,
  jsonResponse,
  networkErrorResponse,
  pageResponse,
  responseWithoutBody,
  StreamedBody,
  streamResponse,
  withHeaders,
} from '../../../src/http/messages.ts'
import { JsonPage, Slice } from '../../../src/utils/json-page.ts'
import { toJsonText } from '../../../src/utils/json-text.ts'

test('a JSON response has the length of its bytes, and tells whether it is ASCII', () => {
  const [plain, umlaut] = [jsonResponse(200, toJsonText('u')), jsonResponse(201, toJsonText('ü'))]

  expect(plain).toMatchObject({ status: 200, text: '"u"', ascii: true })
  expect({ ...plain.headers }).toEqual({
    'content-type': 'application/json',
    'content-length': '3',
  })
  expect(umlaut).toMatchObject({ status: 201, ascii: false, headers: { 'content-length': '4' } })
})

test('more headers leave the others and the body as they are', () => {
  const response = jsonResponse(200, toJsonText('u'), { 'retry-after': '1' })

  expect(withHeaders(response, { allow: 'GET' })).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/json',
      'content-length': '3',
      'retry-after': '1',
      allow: 'GET',
    },
    text: '"u"',
  })
})

test('a page with more headers stays a page', () => {
  const page = new JsonPage('{"results":', new Slice([toJsonText({ id: 1 })], 1), '}')
  const response = withHeaders(pageResponse(200, page), { allow: 'GET' })

  expect(response).toMatchObject({
    status: 200,
    page,
    text: '{"results":[{"id":1}]}',
    ascii: false,
  })
  expect(response.headers).toEqual({
    'content-type': 'application/json',
    'content-length': '22',
    allow: 'GET',
  })
})

test('a streamed response has no length, no text, and is not cached', async () => {
  async function* chunks() {
    yield Uint8Array.of(1)
  }
  const stream = chunks()

  expect(streamResponse(200, new StreamedBody('text/csv', stream))).toEqual({
    status: 200,
    headers: { 'content-type': 'text/csv', 'cache-control': 'no-store' },
    text: '',
    ascii: true,
    stream,
  })
})

test('a response without a body has the length 0, except 204', () => {
  expect(responseWithoutBody(204, { allow: 'GET' })).toEqual({
    status: 204,
    headers: { allow: 'GET' },
    text: '',
    ascii: true,
  })
  expect(responseWithoutBody(304, {}).headers).toEqual({ 'content-length': '0' })
})

test('an HTML response has its status as the content', () => {
  const text = '<html><head><title>502</title></head><body><h1>502</h1></body></html>'

  expect(htmlResponse(502, { server: 'nginx' })).toEqual({
    status: 502,
    headers: { 'content-type': 'text/html', server: 'nginx', 'content-length': '69' },
    text,
    ascii: true,
  })
})

test('a network error has neither a status nor headers nor a body', () => {
  expect(networkErrorResponse).toEqual({ status: 0, headers: {}, text: '', ascii: true })
})

test('a simulated network error looks like that of fetch, and code can distinguish it', () => {
  const error = createNetworkError()

  expect([error.name, error.message]).toEqual(['TypeError', 'terminated'])
  const others = [new TypeError('terminated'), null, undefined, 'terminated']
  expect([error, ...others].map(isSimulatedNetworkError)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
