import { isObject, mapValues } from '../../utils/json.ts'
import type { Aliases } from '../../utils/redaction/aliases.ts'
import { TextBody } from '../../utils/redaction/redactor.ts'
import type { ExpectedResponse, RequestStep } from '../format/scenario.ts'
import { toSpecialValue } from '../format/values.ts'

/** The secrets that are known up to now. */
export type LearnedSecrets = Pick<Aliases, 'knownCount' | 'replaceInText' | 'isInResponse'>

/** Replaces the secrets in a request that were learned after it was recorded. What it names by saved values stays. */
export function hideInRequest<S extends RequestStep>(step: S, secrets: LearnedSecrets): S {
  secrets.isInResponse = false
  const { path, query, headers, text } = step
  const hide = (value: unknown): unknown => hideInTexts(value, secrets)
  return {
    ...step,
    path: secrets.replaceInText(path),
    ...(query && { query: hide(query) }),
    ...(headers && { headers: hide(headers) }),
    ...('body' in step && { body: hideInTexts(step.body, secrets, true) }),
    ...(text !== undefined && {
      text: typeof text === 'string' ? hideInText(text, secrets) : hide(text),
    }),
  }
}

/** Replaces the secrets in an expected response that were learned after it was recorded. */
export function hideInExpected(
  expect: ExpectedResponse,
  secrets: LearnedSecrets,
): ExpectedResponse {
  secrets.isInResponse = true
  return mapValues(expect, (part, name) =>
    hideInTexts(part, secrets, name === 'exact_body'),
  ) as ExpectedResponse
}

/** Replaces the known secrets in the texts of a JSON value. @param inNames whether to replace them in names of fields, too */
export function hideInTexts(value: unknown, secrets: LearnedSecrets, inNames = false): unknown {
  if (typeof value === 'string') return secrets.replaceInText(value)
  if (typeof value !== 'object' || value === null) return value
  if (/^\$(?:saved|match)$/.test(toSpecialValue(value)?.keyword ?? '')) return value
  const hidden = mapValues(value, (inner) => hideInTexts(inner, secrets, inNames))
  if (!inNames || !isObject(hidden)) return hidden
  const names = Object.keys(hidden).map((name) => secrets.replaceInText(name))
  if (names.every((name) => Object.hasOwn(hidden, name))) return hidden
  const values = Object.values(hidden)
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

/** In JSON, the numbers stay. */
function hideInText(text: string, secrets: LearnedSecrets): string {
  const body = new TextBody(text, false)
  if (!body.json || !body.isLossless) return secrets.replaceInText(text)
  const { value } = body.json
  const hidden = hideInTexts(value, secrets, true)
  return hidden === value ? text : JSON.stringify(hidden)
}
