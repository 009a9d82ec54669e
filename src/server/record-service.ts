import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Readable } from 'node:stream'
import { NodeApiRequest, sendFailure } from '../adapters/express/node-http.ts'
import { exchangesToHar } from '../adapters/har/write-har.ts'
import { findPath } from '../api/endpoints.ts'
import {
  bytesToExchangedBody,
  type Exchange,
  type ExchangedBody,
  exchangedLength,
  type HeaderPair,
} from '../http/exchange.ts'
import { Failure } from '../http/failures.ts'
import { toReplaying } from '../import/answers.ts'
import { importTraffic } from '../import/import-exchanges.ts'
import { readTraffic } from '../import/read-traffic.ts'
import { isRequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { createHider } from '../scenarios/recording/recorder.ts'
import { type KeyValues, toUnreachableError } from '../scenarios/run/sender.ts'
import { describeUnusedKeys, knownKeys } from '../scenarios/run/simulator-for.ts'
import { BodyBudget, maxBody } from '../utils/body-budget.ts'
import { decodeContent } from '../utils/decode-content.ts'
import { formatJson } from '../utils/format-json.ts'
import { ByteParts } from '../utils/json.ts'
import { UnreachableError } from '../utils/network.ts'
import { escapeRegExp } from '../utils/text.ts'
import { Clock } from '../world/clock/clock.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { bindServer, closeServer } from './bind.ts'
import { describeForeignPage } from './guard.ts'
import { badGateway, sendOn, toHeaderPairs, withoutHopByHop } from './proxy.ts'

export interface RecordOptions {
  /** The URL of the service, without a slash at its end */
  readonly target: string
  /** Of the proxy. 0 selects any free port */
  readonly port: number
  readonly out: string
  readonly har?: string
  readonly title?: string
  /** The keys of the client, by label */
  readonly key?: KeyValues
  /** Whether secrets and personal data stay */
  readonly keep?: boolean
  readonly redact?: readonly string[]
}

/** Follows a recording. Paths have no secrets. */
interface RecordingView {
  request(exchange: Exchange, path: string): void
  /** @param isFailure whether a request was not recorded by failure or lack of room */
  problem(sentence: string, isFailure?: boolean): void
}

interface RunningRecording {
  readonly url: string
  /** Stops the proxy, derives the world, and writes the files. */
  end(): Promise<Recorded>
}

interface Recorded {
  readonly requests: number
  /** How many requests went to other paths than those of the API */
  readonly leftOut: number
  /** What the reader of the scenario should know */
  readonly sentences: readonly string[]
}

/**
 * Records the requests to a service through a proxy. The files are written at the end.
 *
 * @throws UnreachableError if the service does not respond
 */
export async function recordService(
  { target, port, out, har, key, keep, redact, title }: RecordOptions,
  view: RecordingView,
): Promise<RunningRecording> {
  const options = { baseUrl: target, keys: knownKeys(key), keep, redact }
  const hider = createHider(options)
  const shorten = (url: string) => hider.url(url).slice(target.length)
  const exchanges: Exchange[] = []
  await checkReachable(target)
  let leftOut = 0
  const proxy = await startProxy({
    target,
    port,
    onExchange(exchange) {
      const { size } = hider.strategy.known
      // A key of an unknown form is hidden once a header has shown it.
      hider.collect(exchange)
      exchanges.push(exchange)
      view.request(exchange, shorten(exchange.url))
      return hider.strategy.known.size - size
    },
    onSkipped({ method, url, reason, isFailure }) {
      view.problem(`${method} ${shorten(url)} is not recorded: ${reason}`, isFailure)
    },
    onOther() {
      leftOut += 1
    },
  })
  return {
    url: proxy.url,
    async end() {
      await proxy.close()
      const read = readTraffic(exchanges, options, hider)
      const imported = await importTraffic(read, {
        title: title ?? `Recorded from ${target}`,
      })
      const { scenario, sentences } = await toReplaying(imported, imported.scenario)
      await writeRecording(scenario, read.exchanges, out, har)
      const requests = scenario.steps.filter(isRequestStep).length
      const unused = describeUnusedKeys(exchanges, key)
      return { requests, leftOut, sentences: [...unused, ...sentences] }
    },
  }
}

/** @throws UnreachableError if nothing responds */
async function checkReachable(target: string, seconds = 10) {
  const signal = AbortSignal.timeout(seconds * 1_000)
  const response = await fetch(target, { redirect: 'manual', signal }).catch((error) => {
    if (error.name !== 'TimeoutError') throw toUnreachableError(target, error) ?? error
    throw new UnreachableError(
      `${target} did not respond within ${seconds} seconds. Check the address.`,
    )
  })
  await response.body?.cancel()
}

/** Writes what was recorded. A scenario without requests would be no scenario. */
async function writeRecording(
  scenario: Scenario,
  exchanges: readonly Exchange[],
  out: string,
  har: string | undefined,
) {
  if (exchanges.length === 0) return
  if (scenario.steps.some(isRequestStep)) await writeNamedFile(out, `${formatJson(scenario)}\n`)
  if (har !== undefined) await writeNamedFile(har, JSON.stringify(exchangesToHar(exchanges)))
}

interface ProxyOptions {
  /** The URL that requests are forwarded to, without a slash at its end */
  readonly target: string
  readonly port: number
  /** Called before the client receives the response. @returns how many bytes more are kept of its secrets */
  onExchange(exchange: Exchange): number
  onSkipped(request: SkippedRequest): void
  /** Called for a request to a path that no operation of the API has, which is forwarded only. */
  onOther(): void
}

interface SkippedRequest {
  readonly method: string
  /** The path as the client sent it. It can contain keys. */
  readonly url: string
  /** The reason, such as "the client disconnected" */
  readonly reason: string
  /** Whether that is a failure of the recorder. If `onExchange` failed, the path is that of the operation: what it failed to hide is in no other field. */
  readonly isFailure?: boolean
}

interface ProxyContext extends ProxyOptions {
  readonly targetUrl: URL
  /** Makes links to the target lead to the proxy. */
  readonly rewriteLinks: (text: string) => string
  readonly clock: Clock
  readonly budget: BodyBudget
}

/**
 * Starts a proxy on this machine. It forwards every request to a target and returns the response. It does not follow
 * redirects, and rewrites links to the target so that they lead to the proxy. It refuses pages of other sites.
 *
 * @returns the URL of the proxy, without a slash at its end; `close` closes it and its open connections at once
 * @throws Error with Node's code, such as EADDRINUSE if the port is in use
 */
export async function startProxy(
  options: ProxyOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer()
  const { url } = await bindServer(server, options.port, '127.0.0.1')
  const context: ProxyContext = {
    ...options,
    targetUrl: new URL(options.target),
    rewriteLinks: createLinkRewriter(options.target, url),
    clock: new Clock(),
    budget: new BodyBudget(),
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/' } = request
    // Only clients can send the full URL, or the host of the target.
    const isNamed = /^https?:/i.test(path) || request.headers.host === context.targetUrl.host
    const reason = describeForeignPage(new NodeApiRequest(request), 'the proxy', isNamed)
    if (reason !== null) {
      options.onSkipped({ method, url: options.target + path, reason })
      return sendFailure(response, new Failure('permission_denied', reason))
    }
    // The client disconnected while it sent the request.
    forwardRequest(request, response, context).catch(() => {})
  })
  return { url, close: () => closeServer(server) }
}

/** Forwards a request to the target and back. A request to the API is reported once: as an exchange or as skipped. */
async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { target, targetUrl, clock, rewriteLinks, budget, ...context }: ProxyContext,
) {
  const startedAt = performance.now()
  // The request to a proxy can name the full URL.
  const url = request.url ?? '/'
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
  const method = request.method ?? 'GET'
  const head = { at: new Date(clock.now()).toISOString(), method, url: target + path }
  const headers = toTargetHeaders(toHeaderPairs(request.rawHeaders), targetUrl.host)
  const sentOn = {
    target: targetUrl,
    path: path === '*' ? path : targetUrl.pathname.replace(/\/$/, '') + path,
    headers,
  }
  let isReported = false
  const skip = (reason: string) => {
    if (!isReported) context.onSkipped({ method, url: head.url, reason })
    isReported = true
  }
  /** Reports a request that the target did not answer, and answers in its place. */
  const fail = (error: unknown): void => {
    if (response.destroyed || response.headersSent) return
    const unreachable = toUnreachableError(target, { cause: error })
    // The target broke the connection, so the proxy breaks the connection of the client.
    if (!unreachable) return void response.destroy()
    skip(unreachable.message)
    sendFailure(response, badGateway(unreachable.message))
  }
  const match = findPath(path.split('?')[0] as string)
  if (!match) {
    context.onOther()
    return sendOn(request, response, sentOn).catch(fail)
  }
  let inHand = 0
  /** Counts what was read of a body. @returns false if there is no room for it */
  const take = (bytes: number) => {
    if (!budget.takes(bytes)) return false
    inHand += bytes
    return true
  }
  response.on('close', () => {
    budget.giveBack(inHand)
    if (!response.writableFinished) skip('the client disconnected before the end of the response.')
  })
  const sent = await readStart(request, take)
  const sentBody = toExchangedBody(sent, request.headers)
  const record = (received: Exchange['response']) => {
    if (isReported) return
    isReported = true
    const ms = performance.now() - startedAt
    const request = { headers, body: sentBody }
    const exchange = { ms, request, response: received, ...head }
    if (!budget.takes(sizeOf(exchange), Number.POSITIVE_INFINITY)) {
      const reason =
        'the recorder has no room for more. Stop it, and record the rest to another file.'
      context.onSkipped({ method, url: head.url, reason, isFailure: true })
      return
    }
    try {
      budget.takes(context.onExchange(exchange), Number.POSITIVE_INFINITY)
    } catch (error) {
      // Its message can contain what it read.
      const reason = `recording it failed (${(error as Error).name}). Report this, with the request.`
      context.onSkipped({ method, url: target + match.item.path, reason, isFailure: true })
    }
  }
  const breakOff = () => {
    if (response.destroyed) return
    record({ status: 0, headers: [], body: null })
    response.destroy()
  }
  await sendOn(request, response, {
    ...sentOn,
    body: Readable.from(sent.isWhole ? [sent.bytes] : joined(sent.bytes, request)),
    onResponse(received, passedHeaders, writeHead) {
      const { statusCode: status = 0, rawHeaders, headers: named } = received
      const passOn = (start: Start): void => {
        const { bytes, isWhole } = start
        const body = toExchangedBody(start, named)
        // Before the client receives it, because it may stop the recording then.
        record({ status, headers: toHeaderPairs(rawHeaders), body })
        const isJson = /\bjson\b/i.test(named['content-type'] ?? '')
        const text = isJson && body && 'text' in body ? body.text : ''
        const rewritten = rewriteLinks(text)
        const clientHeaders = passedHeaders.map(([name, value]): HeaderPair => {
          const isLink = /^(?:content-location|link|location)$/i.test(name)
          return [name, isLink ? rewriteLinks(value) : value]
        })
        const isSame = rewritten === text
        writeHead(isSame ? clientHeaders : withContentLength(clientHeaders, rewritten))
        if (isWhole) return void response.end(isSame ? bytes : rewritten)
        response.write(bytes)
        received.pipe(response)
      }
      received.once('error', breakOff)
      readStart(received, take).then(passOn).catch(breakOff)
    },
  }).catch((error) => {
    if (!toUnreachableError(target, { cause: error })) return breakOff()
    fail(error)
  })
}

/** The headers of a request as the target receives them: with its own host, and without a compression of the response. */
function toTargetHeaders(pairs: readonly HeaderPair[], host: string): HeaderPair[] {
  const replaced = /^(?:accept-encoding|host|proxy-authorization)$/i
  const headers = withoutHopByHop(pairs).filter(([name]) => !replaced.test(name))
  return [['Host', host], ...headers, ['Accept-Encoding', 'identity']]
}

/** Replaces the headers that describe a body by those of an uncompressed text. */
function withContentLength(pairs: readonly HeaderPair[], text: string): HeaderPair[] {
  const rest = pairs.filter(([name]) => !/^(?:content-length|content-encoding|etag)$/i.test(name))
  return [...rest, ['content-length', String(Buffer.byteLength(text))]]
}

/** Replaces the URL of a target by that of the proxy, also in JSON, where slashes may be escaped. */
function createLinkRewriter(target: string, proxyUrl: string): (text: string) => string {
  const escapedTarget = target.replaceAll('/', '\\/')
  const pattern = new RegExp(
    `(?:${escapeRegExp(target)}|${escapeRegExp(escapedTarget)})(?=[/?#"'\\\\<>\\s]|$)`,
    'g',
  )
  return (text) =>
    text.replace(pattern, (match) =>
      match === target ? proxyUrl : proxyUrl.replaceAll('/', '\\/'),
    )
}

/** A body, or the start of one for which the recording has no room: it is passed on, and not kept. */
interface Start {
  readonly bytes: Uint8Array
  readonly isWhole: boolean
}

async function readStart(
  message: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<Start> {
  const parts = new ByteParts()
  let isWhole = true
  for await (const part of message.iterator({ destroyOnReturn: false })) {
    parts.add(part)
    isWhole = parts.length <= maxBody && take(part.length)
    if (!isWhole) break
  }
  return { bytes: parts.take(), isWhole }
}

async function* joined(start: Uint8Array, rest: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield start
  yield* rest
}

/** A body as it is recorded: decoded text, base64, or only its length, as far as that is known. */
function toExchangedBody(
  { bytes, isWhole }: Start,
  headers: IncomingHttpHeaders,
): ExchangedBody | null {
  if (!isWhole) return { omitted: Number(headers['content-length'] ?? bytes.length) }
  if (bytes.length === 0) return null
  const decoded = decodeContent(bytes, headers['content-encoding'])
  if (decoded === null) return { base64: Buffer.from(bytes).toString('base64') }
  // It is not read as a text, which would make all other requests wait.
  if (decoded.length > maxBody) return { omitted: decoded.length }
  return decoded.length === 0 ? null : bytesToExchangedBody(decoded, headers['content-type'])
}

/** What a request takes besides its bodies, in bytes: so much, and four times its texts, since a step is made of them. */
const [requestSize, copies] = [16 * 1024, 4]

function sizeOf({ url, request, response }: Exchange) {
  const texts = [url, ...request.headers.flat(), ...response.headers.flat()].join('')
  const bodies = [request.body, response.body].map((body) =>
    body === null || 'omitted' in body ? 0 : exchangedLength(body),
  )
  return bodies.reduce((sum, length) => sum + length, requestSize + copies * texts.length)
}
