import { decodeBase64, type Exchange, encodeTextBase64 } from '../../http/exchange.ts'
import type { ReplayResult, StepDifference, StepResult } from '../run/result.ts'
import { aliasPattern } from './aliases.ts'
import { Anonymizer } from './anonymize.ts'
import { openAliases } from './generalize-response.ts'

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
  const anonymizer = new Anonymizer([], redact)
  const steps = result.steps.map((step) => redactStep(step, anonymizer))
  return {
    result: { ...result, steps },
    toExpected(value, [, part]) {
      const text = part === 'base64' ? atob(String(value)) : part === 'text' ? String(value) : ''
      if (text.search(aliasPattern) >= 0) return undefined
      return openAliases(value, anonymizer.aliases, result.base_url)
    },
  }
}

function redactStep(step: StepResult, anonymizer: Anonymizer): StepResult {
  const { request, response } = step
  if (!request || !response) return step
  const redactBody = (text: string, headers: Exchange['response']['headers'] = []) => {
    const sent = { headers: [], body: null }
    const received = { status: response.status, headers, body: { text } }
    const { exchange, json } = anonymizer.exchange({
      ...{ at: '', ms: 0, method: request.method, url: request.url },
      ...{ request: sent, response: received },
    })
    return { ...exchange.response, json, text: (exchange.response.body as { text: string }).text }
  }
  // The whole response first: a secret can occur beside the field that identifies it.
  const { text } = redactBody(response.text)
  const differences = step.differences.map((difference): StepDifference => {
    const { path, got } = difference
    const [, part, ...names] = path
    if (got === undefined || path[0] !== 'expect') return difference
    if (part === 'headers') {
      const [header] = redactBody('', [[String(names[0]), String(got)]]).headers
      return { ...difference, got: header?.[1] }
    }
    if (part === 'base64') {
      const bytes = new TextDecoder().decode(decodeBase64(String(got)))
      const hidden = redactBody(bytes).text
      return { ...difference, got: hidden === bytes ? got : encodeTextBase64(hidden) }
    }
    if (typeof got === 'string' && names.length === 0) {
      return { ...difference, got: redactBody(got).text }
    }
    // The names of the fields around a value decide whether it is secret.
    const wrapped = names.reduceRight<unknown>((value, name) => ({ [name]: value }), got)
    const hidden = redactBody(JSON.stringify(wrapped)).json?.value
    return { ...difference, got: names.reduce((value, name) => Object(value)[name], hidden) }
  })
  return { ...step, response: { ...response, text }, differences }
}
