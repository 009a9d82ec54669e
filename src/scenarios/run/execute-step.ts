import { decodeBase64 } from '../../http/exchange.ts'
import { UsageError } from '../../utils/usage-error.ts'
import {
  type Change,
  type ChangeKind,
  type ChangeStep,
  changeKinds,
  type RequestStep,
} from '../format/scenario.ts'
import { fillForSending, fillText, fillValue } from '../format/values.ts'
import { compareResponse, parseTextBody } from './compare-response.ts'
import { UnreachableError } from './read-response.ts'
import type { StepDifference, StepResult } from './result.ts'
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

/** Changes the world; what it refuses is a difference. */
export async function applyChange(
  step: ChangeStep,
  target: Target,
  saved: Map<string, unknown>,
): Promise<ExecutedStep> {
  const word = changeKindOf(step)
  const save = 'save' in step ? (step.save ?? {}) : {}
  try {
    const value = (step as Record<string, unknown>)[word]
    // The rows of a world stand for themselves.
    const change = { [word]: word === 'world' ? value : fillForSending(value, saved) }
    const added = await target.change(change as unknown as Change)
    return { request: null, answer: null, differences: saveValues(save, added, saved) }
  } catch (error) {
    if (error instanceof UnreachableError || !(error instanceof UsageError)) throw error
    const expected = 'a change that can be made'
    const difference = {
      path: [word],
      where: word,
      expected,
      got: error.message,
      inWords: true,
    } as const
    return { request: null, answer: null, differences: [difference] }
  }
}

/** What a step changes. */
export function changeKindOf(step: ChangeStep): ChangeKind {
  return changeKinds.find((word) => word in step) as ChangeKind
}

/** Saves values of an answer. @returns those that it does not have */
export function saveValues(
  save: Readonly<Record<string, string>>,
  from: unknown,
  saved: Map<string, unknown>,
): StepDifference[] {
  return Object.entries(save).flatMap(([name, pointer]) => {
    const value = resolvePointer(from, pointer)
    if (value === undefined) {
      const where = `save.${name}`
      return [
        {
          path: ['save', name],
          where,
          expected: `a value at ${pointer}`,
          got: 'nothing',
          inWords: true,
        },
      ]
    }
    saved.set(name, value)
    return []
  })
}

/**
 * The value that a JSON Pointer (RFC 6901) leads to; undefined where it leads nowhere.
 *
 * @example valueAt({ results: [{ id: 4 }] }, '/results/0/id') // 4
 */
function resolvePointer(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined
  }, value)
}
