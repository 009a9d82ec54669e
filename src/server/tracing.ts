import process from 'node:process'
import type * as Sdk from '@opentelemetry/sdk-node'
import { endpoints } from '../api/endpoints.ts'
import type { RequestHeaders } from '../http/messages.ts'
import type { JournalRecord } from '../sandbox/journal/journal.ts'
import type { SimulatorBase } from '../sandbox/simulator-base.ts'
import type { Simulator } from '../simulator.ts'
import { tryParseJson } from '../utils/foreign-json.ts'
import { packageName, version } from '../utils/version.ts'
import { wait } from '../utils/wait.ts'
import { Clock } from '../world/clock/clock.ts'

/** A peer, and no literal below: the bin would bundle it. */
const library = '@opentelemetry/sdk-node'
/** How long the last spans may take to be sent, in milliseconds: the collector may be gone. */
const shutdownMs = 1_000

/**
 * Sends an OpenTelemetry span for each request to a simulator and to sandboxes that are created later. Its environment
 * variables configure the SDK. They are often set for all programs, so a missing package is a warning.
 *
 * @param scheme that of the server
 * @param warn called with a message if the optional package is missing, and once with each message of the SDK
 * @returns a function that sends the last spans and stops
 */
export async function startTracing(
  simulator: Simulator,
  scheme: 'http' | 'https',
  warn: (message: string) => void,
  load: (name: string) => Promise<typeof Sdk> = (name) => import(name),
): Promise<() => Promise<void>> {
  const loaded = await load(library).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const advice = `Run npm install --save-dev ${library}@0.223.`
    warn(`OTEL_EXPORTER_OTLP_ENDPOINT has no effect without the package ${library}. ${advice}`)
    return null
  })
  if (!loaded) return async () => {}
  const { NodeSDK, api, resources } = loaded
  // Wrong variables, and a missing collector again and again. With OTEL_LOG_LEVEL, the SDK prints them itself.
  const reported = new Set<string>()
  const report = (text: string): void => {
    const message = `OpenTelemetry: ${Object(tryParseJson(text)?.value).message ?? text}`
    if (reported.size < reported.add(message).size) warn(message)
  }
  const logger = { error: report, warn: report, info() {}, debug() {}, verbose() {} }
  if (!process.env.OTEL_LOG_LEVEL) api.diag.setLogger(logger)
  const sdk = new NodeSDK({
    resource: resources.resourceFromAttributes({
      'service.name': packageName,
      'service.version': version,
    }),
    // Not that of the process: the arguments of `serve` can have a token.
    resourceDetectors: [resources.envDetector, resources.hostDetector],
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [],
  })
  sdk.start()
  const tracer = api.trace.getTracer(packageName, version)
  const clock = new Clock('real')
  const routes = new Map(endpoints.map(({ id, path }) => [id, path]))
  const getter = {
    get: (headers: RequestHeaders, name: string) => headers.get(name) ?? undefined,
    keys: () => [],
  }
  const send = (record: JournalRecord, path: string, sandbox: string | undefined): void => {
    const { method, operation, response, fault, ms, requestHeaders } = record
    const { status } = response
    // An operation that the service adds to a path, such as that of a method which it refuses, has the path in its id.
    const [, added] = /^\w+ (\/.*)$/.exec(operation ?? '') ?? []
    const route = added ?? routes.get(operation ?? '')
    const isError = status === 0 || status >= 500
    const [address, port] = splitHost(requestHeaders.get('host'))
    const end = clock.now()
    const parent = api.propagation.extract(api.ROOT_CONTEXT, requestHeaders, getter)
    const options = {
      kind: api.SpanKind.SERVER,
      startTime: end - ms,
      attributes: {
        'http.request.method': method,
        'url.path': path,
        'url.scheme': scheme,
        ...(address !== undefined && { 'server.address': address }),
        ...(port !== undefined && { 'server.port': port }),
        // Status 0: a fault broke the connection.
        ...(isError && { 'error.type': status === 0 ? 'ECONNRESET' : String(status) }),
        ...(status > 0 && { 'http.response.status_code': status }),
        ...(route && { 'http.route': route }),
        ...(operation !== null && !added && { 'understudy.operation': operation }),
        ...(sandbox && { 'understudy.sandbox': sandbox }),
        ...(fault && { 'understudy.fault': fault.id }),
      },
    }
    const span = tracer.startSpan(route ? `${method} ${route}` : method, options, parent)
    if (isError) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(end)
  }
  const follow = ({ journal }: SimulatorBase, sandbox?: string): void => {
    journal.followRecords((record) => {
      const [path = '/'] = journal.redactUrl(record.target).split('?')
      send(record, path, sandbox)
    })
  }
  follow(simulator)
  for (const { id } of simulator.sandboxes.list()) {
    const restored = simulator.sandboxes.get(id)
    if (restored) follow(restored, id)
  }
  simulator.sandboxes.follow((id, opened) => follow(opened, id))
  return async () => {
    const shutdown = sdk.shutdown()
    await wait(shutdownMs, (end) => {
      shutdown.then(end, end)
      return () => {}
    })
    for (const part of [api.trace, api.propagation, api.context, api.diag]) part.disable()
  }
}

/** @example splitHost('[::1]:4010') // ['::1', 4010] */
function splitHost(host: string | null): [address?: string, port?: number] {
  const [, address, port] = /^(.*?)(?::(\d+))?$/.exec(host ?? '') ?? []
  if (!address) return []
  const name = address.replace(/^\[|\]$/g, '')
  return port === undefined ? [name] : [name, Number(port)]
}
