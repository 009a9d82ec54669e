import {
  type Exchange,
  type ExchangedMessage,
  encodeTextBase64,
  findHeader,
} from '../../http/exchange.ts'
import { tryParseJson } from '../../utils/json.ts'
import type { Strategy } from '../../utils/redaction/redactor.ts'
import { KnownSecrets, replaceByForm } from '../../utils/redaction/secrets.ts'
import type { ChangeStep, ExpectedResponse, Step } from '../format/scenario.ts'
import { escapeBraces, escapeLiterals } from '../format/values.ts'
import { type FileStrategy, Hider } from './hide.ts'
import {
  assembleResponse,
  assembleStep,
  lowerCaseNames,
  type RecordedStep,
  type SentBody,
  type StepAddress,
  writeHeaders,
} from './to-step.ts'

/** Receives the steps of an exact recording. */
export interface StepSink {
  add(step: Step): void
  /** Called with what no step can contain, such as `PUT /api/x/ (its body was not recorded)`. */
  omit(what: string): void
}

/**
 * Records exchanges byte for byte, such as those of a bundle. Nothing is generalized, and of secrets only keys that the
 * world does not have are hidden. Steps are written at once and not stored.
 */
export class ExactRecorder {
  readonly #sink: StepSink
  readonly #keys: () => KnownKeys
  readonly #hider: Hider<UnknownKeys>

  /**
   * @param keys the keys of the world. Called for each value, as keys can be added and removed
   * @param redact further names of secrets
   */
  constructor(sink: StepSink, keys: () => KnownKeys, redact?: readonly string[]) {
    this.#sink = sink
    this.#keys = keys
    this.#hider = new Hider(new UnknownKeys(keys), redact)
  }

  add({ key: _, ...exchange }: Exchange, baseUrl: string): void {
    const authorization = findHeader(exchange.request.headers, 'authorization') ?? ''
    const label = this.#keys().get(authorization.replace(/^Bearer /, ''))
    const { exchange: hidden } = this.#hider.exchange({ ...exchange, ...(label && { key: label }) })
    const { step, omitted } = toExactStep(hidden, baseUrl)
    if (step) this.#sink.add(step)
    for (const what of omitted) this.#sink.omit(what)
  }

  addChange(change: ChangeStep): void {
    this.#hider.strategy.isInResponse = true
    this.#sink.add(this.#hider.redactor.json(change) as ChangeStep)
  }
}

function toExactStep(exchange: Exchange, baseUrl: string): RecordedStep {
  const { method, url, request } = exchange
  const sent = toSentBody(method, request)
  return assembleStep(exchange, {
    address: toExactAddress(url.slice(baseUrl.length)),
    sent,
    // Any other header may hold a secret.
    headers: writeHeaders(request.headers, ([name, value]) =>
      name === 'content-type' ? !sent?.isTypeImplied : name === 'accept' && value !== '*/*',
    ),
    expect: toExpectedResponse(exchange, baseUrl),
  })
}

/** The path of a step that sends exactly this path and query. Null if fetch would normalize the address. */
function toExactAddress(target: string): StepAddress | null {
  if (!/^\/[^\s#]*$/.test(target)) return null
  const url = `http://localhost${target}`
  const isUnchanged = URL.canParse(url) && new URL(url).href === url
  return isUnchanged ? { path: escapeBraces(target) } : null
}

/** Returns null if the step would send other bytes, as the body was not recorded. */
function toSentBody(method: string, { headers, body }: ExchangedMessage): SentBody | null {
  if (body === null || method === 'GET' || method === 'HEAD') return { part: {} }
  if ('omitted' in body) return null
  if ('base64' in body) return { part: body }
  const { text } = body
  const type = findHeader(headers, 'content-type')
  // fetch adds a content type to a text that has none, but not to bytes.
  if (type === undefined) return { part: { base64: encodeTextBase64(text) } }
  const value = tryParseJson(text)?.value
  const isSame = typeof value === 'object' && value !== null && JSON.stringify(value) === text
  if (!isSame) return { part: { text } }
  return { part: { body: escapeLiterals(value) }, isTypeImplied: type === 'application/json' }
}

function toExpectedResponse(
  { method, response: { status, headers, body } }: Exchange,
  baseUrl: string,
): ExpectedResponse {
  const shown = lowerCaseNames(headers).filter(([name]) => !transportHeaders.test(name))
  return assembleResponse(
    status,
    Object.fromEntries(shown.map(([name, value]) => [name, withBaseUrl(value, baseUrl)])),
    method === 'HEAD' || (body && 'omitted' in body)
      ? {}
      : body && 'base64' in body
        ? body
        : { text: withBaseUrl(body?.text ?? '', baseUrl) },
  )
}

/** Headers of the transport, secret headers, and the length, which follows from the body. */
const transportHeaders =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|set-cookie|access-control-.*)$/

function withBaseUrl(text: string, baseUrl: string): string | { $text: string } {
  if (!text.includes(baseUrl)) return text
  return { $text: escapeBraces(text).replaceAll(baseUrl, '{base_url}') }
}

/** The labels of the keys of a world by their values. Null if several keys have the same label. */
export type KnownKeys = ReadonlyMap<string, string | null>

/**
 * Replaces keys that the world does not have, as they may be real. In requests it replaces values of key fields and texts
 * that look like a key. In responses and changes it replaces the keys that an earlier request contained. The replacement
 * has the same length, so the service refuses it in the same way.
 */
class UnknownKeys implements FileStrategy {
  readonly hidesPersonalData = false
  isInResponse = false
  readonly #knownKeys: () => KnownKeys
  readonly #replacements = new Map<string, string>()
  #longKeys = new KnownSecrets([])

  constructor(knownKeys: () => KnownKeys) {
    this.#knownKeys = knownKeys
  }

  get collector(): Strategy {
    return this
  }

  replace(value: string): string {
    const replacement = this.#replacements.get(value)
    if (replacement !== undefined) return replacement
    if (value === '' || this.isInResponse || this.#knownKeys().has(value)) return value
    // No replacement is a part of another one.
    const name = `phx_unknown_${this.#replacements.size + 1}`
    const added = name.slice(0, value.length).padEnd(value.length, '_')
    this.#replacements.set(value, added)
    const long = [...this.#replacements.keys()].filter(({ length }) => length >= minLongKeyLength)
    this.#longKeys = new KnownSecrets(long)
    return added
  }

  replaceInText(text: string): string {
    const replaced = replaceByForm(text, false, (value, _kind, rest) => {
      // The value can be the beginning of a known key.
      const isKnown = [...this.#knownKeys().keys()].some(
        (key) => key.startsWith(value) && rest.startsWith(key),
      )
      const isReplaced = [...this.#replacements.values()].includes(value)
      return isKnown || isReplaced ? value : this.replace(value)
    })
    return this.#longKeys.replace(replaced, (value) => this.replace(value))
  }
}

/** In characters. Shorter values can be ordinary words, such as the `invalid` of a test for wrong keys. */
const minLongKeyLength = 16
