import { keyInBody, keyInHeader, keyInQuery } from '../../http/authorize.ts'
import {
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
  findHeader,
  isFormBody,
} from '../../http/exchange.ts'
import { queryString } from '../../http/url.ts'
import { tryParseJson } from '../../utils/json.ts'
import { Aliases, aliasPattern } from '../../utils/redaction/aliases.ts'
import { Redactor, type Strategy, TextBody } from '../../utils/redaction/redactor.ts'
import type { ChangeStep } from '../format/scenario.ts'
import type { ReplayResult, StepDifference, StepResult } from '../run/result.ts'
import { openAliases } from './generalize.ts'

export interface HiddenExchange {
  readonly exchange: Exchange
  /** The parsed response body if it is JSON */
  readonly json: { readonly value: unknown } | undefined
}

/** What becomes of secrets in a file. The same value is always replaced in the same way. */
export interface FileStrategy extends Strategy {
  /** Whether the next values come from a response. */
  isInResponse: boolean
  /** Collects the secrets of a message before any is replaced: one can occur before the field that identifies it. */
  readonly collector: Strategy
}

/**
 * The first stage of a recording: hides secrets before anything is stored. Keys, tokens and e-mail addresses are replaced
 * wherever they occur. Names of people are replaced only in fields for names, such as `first_name`: other texts can still
 * contain them.
 */
export class Hider<S extends FileStrategy> {
  readonly strategy: S
  readonly redactor: Redactor
  readonly #collector: Redactor

  /** @param redact further names of secrets */
  constructor(strategy: S, redact?: readonly string[]) {
    this.strategy = strategy
    this.redactor = new Redactor(strategy, redact)
    this.#collector = new Redactor(strategy.collector, redact)
  }

  url(url: string): string {
    this.strategy.isInResponse = false
    if (mayHoldSecrets.test(url)) this.#collector.url(url)
    return this.redactor.url(url)
  }

  exchange(exchange: Exchange): HiddenExchange {
    const { request, key } = exchange
    this.strategy.isInResponse = false
    const sent = parseText(request)
    this.#message(request, sent, this.#collector)
    const url = this.url(exchange.url)
    const hiddenRequest = this.#message(request, sent).message
    const { json, ...response } = this.response(exchange.response)
    return {
      exchange: {
        ...exchange,
        url,
        request: hiddenRequest,
        response: { status: exchange.response.status, ...response },
        ...(typeof key === 'string' && { key: this.strategy.replaceInText(key) }),
      },
      json,
    }
  }

  response(response: ExchangedMessage): ExchangedMessage & Pick<HiddenExchange, 'json'> {
    const received = parseText(response)
    this.strategy.isInResponse = true
    this.#message(response, received, this.#collector)
    const { message, text } = this.#message(response, received)
    return { ...message, json: text?.json }
  }

  change(step: ChangeStep): ChangeStep {
    this.strategy.isInResponse = false
    this.#collector.json(step)
    return this.redactor.json(step) as ChangeStep
  }

  #message(
    { headers, body }: ExchangedMessage,
    parsed: TextBody | null,
    redactor = this.redactor,
  ): { message: ExchangedMessage; text: TextBody | null } {
    const text = parsed && redactor.body(parsed)
    const message = {
      headers: headers.map(([name, value]) => [name, redactor.header(name, value)] as const),
      body: text ? { text: text.text } : body && redactBytes(redactor, body),
    }
    return { message, text }
  }
}

/** A URL without any of these characters has no named values. */
const mayHoldSecrets = /[=%"']/

function parseText({ headers, body }: ExchangedMessage): TextBody | null {
  return body && 'text' in body ? new TextBody(body.text, isFormBody(headers)) : null
}

/** Nothing can be replaced within bytes, so bytes with a secret are left out. */
function redactBytes(redactor: Redactor, body: ExchangedBody): ExchangedBody {
  if (!('base64' in body)) return body
  const { base64 } = body
  return redactor.base64(base64) === base64 ? body : { omitted: atob(base64).length }
}

/** Finds the label of the key of each request. An unknown key gets a label, unless the service refused it. */
export class KeyLabeler {
  readonly #labels: Map<string, string>
  readonly #newLabels = new Set<string>()

  /** @param keys the values of known keys by their labels */
  constructor(keys: Readonly<Record<string, string>> = {}) {
    this.#labels = new Map(Object.entries(keys).map(([label, value]) => [value, label]))
  }

  /** Sets the label of the key. Removes it if the service refused the key. */
  withLabel(exchange: Exchange): Exchange {
    const { key: _, ...rest } = exchange
    const label = this.#labelOf(exchange)
    return label === undefined ? rest : { key: label, ...rest }
  }

  warnAboutNewLabel(label: string | null | undefined, step: number): string[] {
    if (!label || !this.#newLabels.delete(label)) return []
    return [`steps[${step}] uses an unknown key: replay the scenario with --key ${label}=VALUE.`]
  }

  #labelOf(exchange: Exchange): string | null | undefined {
    if (exchange.key) return exchange.key
    const { url, request, response } = exchange
    const header = findHeader(request.headers, 'authorization')
    const key =
      header === undefined
        ? (keyInBody(parseRequestBody(request)) ?? keyInQuery(queryString(url)))
        : keyInHeader(header)
    if (!key) return exchange.key
    const known = this.#labels.get(key.value)
    const isRefused = response.status === 401
    // A replay sends the key of a label in the header. Elsewhere, a service may not read keys at all.
    if (known !== undefined && (header !== undefined || !isRefused)) return known
    if (isRefused) return undefined
    let count = 1
    while ([...this.#labels.values()].includes(`key-${count}`)) count += 1
    const label = `key-${count}`
    this.#newLabels.add(label)
    this.#labels.set(key.value, label)
    return label
  }
}

function parseRequestBody({ headers, body }: ExchangedMessage): unknown {
  if (body === null || !('text' in body)) return undefined
  if (isFormBody(headers)) return Object.fromEntries(new URLSearchParams(body.text))
  return tryParseJson(body.text)?.value
}

/** The result of a replay without secrets, and how its values become expected ones. */
export interface RedactedResult {
  readonly result: ReplayResult
  /** Replaces hidden values by matchers. Undefined for a text that cannot be expected. */
  toExpected(value: unknown, path: StepDifference['path']): unknown
}

/**
 * Replaces secrets and personal data in the responses of a replay by the rules of a recording.
 *
 * @param redact further names of secrets
 */
export function redactResult(result: ReplayResult, redact: readonly string[]): RedactedResult {
  const hider = new Hider(new Aliases(redact), redact)
  const steps = result.steps.map((step) => redactStep(step, hider))
  return {
    result: { ...result, steps },
    toExpected(value, [, part]) {
      const text = part === 'base64' ? atob(String(value)) : part === 'text' ? String(value) : ''
      if (text.search(aliasPattern) >= 0) return undefined
      return openAliases(value, hider.strategy, result.base_url)
    },
  }
}

function redactStep(step: StepResult, hider: Hider<Aliases>): StepResult {
  const { request, response } = step
  if (!request || !response) return step
  const redactText = (text: string): string => {
    const { body } = hider.response({ headers: [], body: { text } })
    return (body as { text: string }).text
  }
  // The whole response first: a secret can occur beside the field that identifies it.
  const text = redactText(response.text)
  const differences = step.differences.map((difference): StepDifference => {
    const { path, got } = difference
    const [, part, ...names] = path
    if (got === undefined || path[0] !== 'expect') return difference
    if (part === 'headers') {
      return { ...difference, got: hider.redactor.header(String(names[0]), String(got)) }
    }
    if (part === 'base64') return { ...difference, got: hider.redactor.base64(String(got)) }
    if (typeof got === 'string' && names.length === 0)
      return { ...difference, got: redactText(got) }
    // The names of the fields around a value decide whether it is secret.
    return { ...difference, got: hider.redactor.part(got, names) }
  })
  return { ...step, response: { ...response, text }, differences }
}
