import { api } from '@opentelemetry/sdk-node'
import { expect, test } from 'vitest'
import { startTracing } from '../../../src/server/tracing.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { startServe, startServeProcess } from '../../support/cli/serve.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpServer } from '../../support/http-server.ts'

interface Span {
  readonly traceId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}
type Resources = readonly {
  readonly resource: Pick<Span, 'attributes'>
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
}[]

/** Receives spans as OTLP/HTTP in JSON. */
async function startReceiver() {
  const received: { path: string | undefined; resourceSpans: Resources }[] = []
  const url = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ path: request.url, ...JSON.parse(String(Buffer.concat(chunks))) })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { url, received }
}

const variables = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
})
const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('each request is a span, which continues the trace of the client and has no key', async () => {
  const { url, received } = await startReceiver()
  const slowFirst = JSON.stringify({ operation: 'retrieveAnnotation', effect: { delay_ms: 1 } })
  const args = ['--quiet', '--token', 'a-secret-token', '--fault', slowFirst]
  const { url: served, ask, stop } = await startServe(args, variables(url))
  const server = {
    'url.scheme': 'http',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(served).port),
  }
  const { body } = await ask('POST', '/__admin/sandboxes', { body: {}, key: 'a-secret-token' })
  const sandbox = body as { key: string }
  const trace = '0af7651916cd43dd8448eb211c80319c'

  await ask('GET', '/api/projects/1/annotations/3/?personal_api_key=phx_all', {
    headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` },
  })
  await ask('GET', '/api/projects/1/annotations/999/', { key: sandbox.key })
  await ask('PUT', '/api/projects/1/annotations/3/')
  await ask('GET', '/api/nothing/')
  await stop('SIGINT')

  const resources = received.flatMap(({ resourceSpans }) => resourceSpans)
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  expect(resources.map(({ resource }) => attributesOf(resource)['service.name'])).toEqual([
    'understudy-api',
  ])
  const route = '/api/projects/:project_id/annotations/:id'
  expect(spans.map((span) => [span.name, span.kind, attributesOf(span)])).toEqual([
    [
      `GET ${route}`,
      2,
      {
        'http.request.method': 'GET',
        'url.path': '/api/projects/1/annotations/3/',
        ...server,
        'http.response.status_code': 200,
        'http.route': route,
        'understudy.operation': 'retrieveAnnotation',
        'understudy.fault': 'fault-1',
      },
    ],
    [
      `GET ${route}`,
      2,
      {
        'http.request.method': 'GET',
        'url.path': '/api/projects/1/annotations/999/',
        ...server,
        'http.response.status_code': 404,
        'http.route': route,
        'understudy.operation': 'retrieveAnnotation',
        'understudy.sandbox': 'sandbox-1',
      },
    ],
    [
      `PUT ${route}`,
      2,
      {
        'http.request.method': 'PUT',
        'url.path': '/api/projects/1/annotations/3/',
        ...server,
        'http.response.status_code': 405,
        'http.route': route,
      },
    ],
    [
      'GET',
      2,
      {
        'http.request.method': 'GET',
        'url.path': '/api/nothing/',
        ...server,
        'http.response.status_code': 404,
      },
    ],
  ])
  expect(spans.map(({ parentSpanId }) => parentSpanId || null)).toEqual([
    'b7ad6b7169203331',
    null,
    null,
    null,
  ])
  expect(JSON.stringify(received)).not.toContain('a-secret-token')
  expect(spans[0]?.traceId).toBe(trace)
})

test('a broken connection and a server error are errors', async () => {
  const { url, received } = await startReceiver()
  const rule = (operation: string, effect: object) => [
    '--fault',
    JSON.stringify({ operation, effect }),
  ]
  const { ask, stop } = await startServe(
    [
      '--quiet',
      ...rule('retrieveAnnotation', { drop: true }),
      ...rule('listAnnotations', { status: 503 }),
      ...rule('listProjects', { delay_ms: 50 }),
    ],
    variables(url),
  )

  await ask('GET', '/api/projects/1/annotations/1/').catch(() => {})
  await ask('GET', '/api/projects/1/annotations/')
  await ask('GET', '/api/projects/')
  await stop('SIGINT')

  const spans = received
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  expect(
    spans.map((span) => {
      const attributes = attributesOf(span)
      return [attributes['http.response.status_code'], attributes['error.type'], span.status.code]
    }),
  ).toEqual([
    [undefined, 'ECONNRESET', 2],
    [503, '503', 2],
    [200, undefined, 0],
  ])
  const [, , delayed] = spans.map(({ startTimeUnixNano, endTimeUnixNano }) =>
    Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)),
  )
  expect(delayed).toBeGreaterThan(45e6)
})

test('serve goes on without a collector, and ends soon', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const { ask, stop } = await startServe(['--quiet'], variables(url))
  const { status } = await ask('GET', '/api/projects/')
  const start = performance.now()

  const { code, stderr } = await stop('SIGINT')

  expect([status, code, stderr]).toEqual([200, 0, ''])
  // The exporter itself would try for ten seconds.
  expect(performance.now() - start).toBeLessThan(8_000)
})

test('a collector that never answers keeps the process for little more than a second', async () => {
  const collector = await startHttpServer(() => {})
  const { url, stop } = await startServeProcess(['--quiet'], variables(collector))
  await fetch(`${url}/api/projects/`)
  const start = performance.now()

  const { code } = await stop('SIGTERM')

  expect(code).toBe(0)
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('each problem that the SDK reports is one warning', async () => {
  const warnings: string[] = []
  const text = { ...variables('nonsense'), OTEL_TRACES_SAMPLER: 'nonsense' }
  const { stop } = await startServe(['--quiet'], text)
  warnings.push(...(await stop('SIGINT')).stderr.split('\n'))

  expect(warnings).toEqual([
    expect.stringMatching(/^OpenTelemetry: .*Could not parse .* URL: 'nonsense'/),
    'OpenTelemetry: unknown OTEL_TRACES_SAMPLER value "nonsense", using default',
    '',
  ])
})

test('with OTEL_LOG_LEVEL, the SDK prints its problems itself', async () => {
  const text = { ...variables('nonsense'), OTEL_LOG_LEVEL: 'warn' }
  const { stop } = await startServe(['--quiet'], text)

  expect((await stop('SIGINT')).stderr).toBe('')
})

test('a collector that is gone is reported once, in a sentence', async () => {
  const warnings: string[] = []
  const stop = await startTracing(createSimulator(), 'http', (message) => warnings.push(message))
  const error = JSON.stringify({ stack: 'Error: gone\n    at …', message: 'gone' })

  for (let count = 0; count < 3; count++) api.diag.error(error)
  await stop()
  api.diag.error(error)

  expect(warnings).toEqual(['OpenTelemetry: gone'])
})

test('without the package, a warning says what to install', async () => {
  const missing = Object.assign(new Error('Not found'), { code: 'ERR_MODULE_NOT_FOUND' })
  const warnings: string[] = []
  const simulator = createSimulator()

  const stop = await startTracing(
    simulator,
    'http',
    (message) => warnings.push(message),
    () => Promise.reject(missing),
  )
  await stop()

  expect(simulator.journal.followerCount).toBe(0)
  expect(warnings).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT has no effect without the package @opentelemetry/sdk-node. ' +
      'Run npm install --save-dev @opentelemetry/sdk-node@0.223.',
  ])
})
