import { mapValues } from '../../utils/json.ts'
import { parseQuery } from '../../utils/query.ts'
import {
  type ExpectedResponse,
  isRequestStep,
  type RequestStep,
  type Step,
} from '../format/scenario.ts'
import { escapeBraces, isTime, toSpecialValue, usualTime } from '../format/values.ts'

/**
 * A step that a replay can repeat: times that no request sent become matchers, and links begin with the base URL of the replay.
 *
 * @param baseUrl that of the request, or of the next one after a change
 * @param sent what earlier requests sent. Gets what this one sent
 */
export function generalizeStep(step: Step, baseUrl: string, sent: Set<string>): Step {
  if ('fault' in step) return toLinks(step, baseUrl)
  if (!isRequestStep(step)) return step
  for (const value of sentTexts(step)) sent.add(value)
  const { expect } = step
  return { ...step, ...(expect && { expect: generalizeResponse(expect, baseUrl, sent) }) }
}

/** The times that a request sends, and the texts of its body with a link: a service returns both as they were sent. */
function sentTexts({ path, body, text }: RequestStep): string[] {
  const query = parseQuery(path.split('?').slice(1).join('?'))
  const form = typeof text === 'string' ? [...parseQuery(text).values()] : []
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(usualTime(value))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  collect([[...query.values()].filter(isTime), body, form])
  return texts.filter((value) => value.includes(':'))
}

function generalizeResponse(
  expect: ExpectedResponse,
  baseUrl: string,
  sent: ReadonlySet<string>,
): ExpectedResponse {
  const { headers } = expect
  const toExpected = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (sent.has(usualTime(value))) return value
      return isTime(value) ? { $match: 'time' } : toLinks(value, baseUrl)
    }
    if (typeof value !== 'object' || value === null) return value
    return toSpecialValue(value) ? value : mapValues(value, toExpected)
  }
  return {
    ...expect,
    ...(headers && { headers: toLinks(headers, baseUrl) }),
    ...('exact_body' in expect && { exact_body: toExpected(expect.exact_body) }),
  }
}

/** Replaces the base URL of the links in all texts of a value. */
function toLinks<T>(value: T, baseUrl: string): T {
  if (typeof value === 'string') {
    const parts = baseUrl === '' ? [value] : value.split(`${baseUrl}/`)
    const saved = { $saved: parts.map(escapeBraces).join('{base_url}/') }
    return parts.length === 1 ? value : (saved as T)
  }
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (inner) => toLinks(inner, baseUrl)) as T
}
