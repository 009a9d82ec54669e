import { decodeBase64 } from '../../http/exchange.ts'
import type { RequestStep } from '../format/scenario.ts'
import { fillForSending, fillText, fillValue } from '../format/values.ts'
import { compareResponse, parseTextBody } from './compare-response.ts'
import type { StepDifference, StepResult } from './result.ts'
import { saveValues } from './save-values.ts'
import type { SentRequest, Target } from './target.ts'

/** What a step came to. */
export type ExecutedStep = Pick<StepResult, 'request' | 'answer' | 'differences'>

/** Sends a request, compares what is answered, and saves of it what later steps need. @throws UnreachableError */
export async function sendRequest(
  step: RequestStep,
  target: Target,
  saved: Map<string, unknown>,
): Promise<ExecutedStep> {
  const sent = buildRequest(step, target, saved)
  const request = { method: sent.method, url: sent.url }
  if (!`${sent.url}/`.startsWith(`${target.baseUrl}/`)) {
    return { request, answer: null, differences: [outsideBaseUrl(sent.url, target.baseUrl)] }
  }
  const heard = await target.send(sent)
  const { expect, save = {} } = step
  // Most answers are only looked at by their status: reading each body would double the cost of a replay.
  const isRead = step.save !== undefined || (expect && ('body' in expect || 'exact_body' in expect))
  const body = isRead ? parseTextBody(heard.text) : undefined
  const differences = expect ? compareResponse(expect, heard, body, saved) : []
  return {
    request,
    answer: { status: heard.status, text: heard.text },
    differences: [...differences, ...saveValues(save, body, saved)],
  }
}

function buildRequest(
  step: RequestStep,
  target: Target,
  saved: ReadonlyMap<string, unknown>,
): SentRequest {
  const { as, method, path, query, headers, body } = step
  const key = as === undefined ? undefined : target.key(as)
  const all: Record<string, string> = {}
  if (key !== undefined) all.authorization = `Bearer ${key}`
  if (body !== undefined) all['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers ?? {})) {
    all[name.toLowerCase()] = fillText(value, saved)
  }
  const sent = buildBody(step, saved)
  return {
    method,
    url: buildUrl(path, query, target.baseUrl, saved),
    headers: all,
    ...(sent !== undefined && { body: sent }),
  }
}

function buildBody(
  { body, text, base64 }: RequestStep,
  saved: ReadonlyMap<string, unknown>,
): SentRequest['body'] {
  if (base64 !== undefined) return decodeBase64(base64)
  if (body !== undefined) return JSON.stringify(fillForSending(body, saved))
  return text === undefined ? undefined : String(fillValue(text, saved))
}

function buildUrl(
  path: string,
  query: RequestStep['query'],
  baseUrl: string,
  saved: ReadonlyMap<string, unknown>,
): string {
  const place = fillText(path, saved)
  const url = place.startsWith('/') ? baseUrl + place : place
  if (!query) return url
  const pairs = Object.entries(query).map(([name, value]) => [name, fillText(String(value), saved)])
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`
}

function outsideBaseUrl(url: string, baseUrl: string): StepDifference {
  return {
    path: ['path'],
    where: 'path',
    expected: `an address below ${baseUrl}`,
    got: url,
    inWords: true,
  }
}
