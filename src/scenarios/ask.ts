import { toBytes } from '../recordings/bytes.ts'
import { bodyOf, compare } from './compare.ts'
import { keep } from './keep.ts'
import type { StepDifference, StepResult } from './result.ts'
import type { RequestStep } from './scenario.ts'
import type { Sent, Target } from './target.ts'
import { filled, filledText, toSend } from './values.ts'

/** What a step came to. */
export type Played = Pick<StepResult, 'request' | 'answer' | 'differences'>

/** Sends a request, compares what is answered, and saves of it what later steps need. @throws UnreachableError */
export async function ask(
  step: RequestStep,
  target: Target,
  saved: Map<string, unknown>,
): Promise<Played> {
  const sent = requestOf(step, target, saved)
  const request = { method: sent.method, url: sent.url }
  if (!`${sent.url}/`.startsWith(`${target.baseUrl}/`)) {
    return { request, answer: null, differences: [stray(sent.url, target.baseUrl)] }
  }
  const heard = await target.send(sent)
  const { expect, save = {} } = step
  // Most answers are only looked at by their status: reading each body would double the cost of a replay.
  const isRead = step.save !== undefined || (expect && ('body' in expect || 'exact_body' in expect))
  const body = isRead ? bodyOf(heard.text) : undefined
  const differences = expect ? compare(expect, heard, body, saved) : []
  return {
    request,
    answer: { status: heard.status, text: heard.text },
    differences: [...differences, ...keep(save, body, saved)],
  }
}

function requestOf(step: RequestStep, target: Target, saved: ReadonlyMap<string, unknown>): Sent {
  const { as, method, path, query, headers, body } = step
  const key = as === undefined ? undefined : target.key(as)
  const all: Record<string, string> = {}
  if (key !== undefined) all.authorization = `Bearer ${key}`
  if (body !== undefined) all['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(headers ?? {})) {
    all[name.toLowerCase()] = filledText(value, saved)
  }
  const sent = bodyToSend(step, saved)
  return {
    method,
    url: addressOf(path, query, target.baseUrl, saved),
    headers: all,
    ...(sent !== undefined && { body: sent }),
  }
}

function bodyToSend(
  { body, text, base64 }: RequestStep,
  saved: ReadonlyMap<string, unknown>,
): Sent['body'] {
  if (base64 !== undefined) return toBytes(base64)
  if (body !== undefined) return JSON.stringify(toSend(body, saved))
  return text === undefined ? undefined : String(filled(text, saved))
}

function addressOf(
  path: string,
  query: RequestStep['query'],
  baseUrl: string,
  saved: ReadonlyMap<string, unknown>,
): string {
  const place = filledText(path, saved)
  const url = place.startsWith('/') ? baseUrl + place : place
  if (!query) return url
  const pairs = Object.entries(query).map(([name, value]) => [
    name,
    filledText(String(value), saved),
  ])
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`
}

function stray(url: string, baseUrl: string): StepDifference {
  return {
    path: ['path'],
    where: 'path',
    expected: `an address below ${baseUrl}`,
    got: url,
    inWords: true,
  }
}
