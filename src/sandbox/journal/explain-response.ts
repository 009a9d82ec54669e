import { distance } from 'fastest-levenshtein'
import { endpoints, type World } from '../../api/endpoints.ts'
import type { ApiError } from '../../http/failures.ts'
import { bodyText } from '../../http/messages.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath } from '../../http/url.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import { escapeControls } from '../../utils/escape.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { describeEffect } from '../faults/describe-effect.ts'
import type { FaultEffect, FaultPhase } from '../faults/rule.ts'
import { type DecisionSource, findRoute, PastRequest } from './past-request.ts'
import type { JournalRecord, RecordedFault } from './record.ts'
import { quote, Refusal } from './refusal.ts'
import { explainFailure, unexpectedError } from './refusal-reasons.ts'
import type { KeyRedactor } from './render-parts.ts'
import { describeRepetition } from './repetition.ts'

/** Names and masks keys. */
export interface KeyNames {
  readonly redactor: KeyRedactor
  /** @returns `the key` and its label, if it has one */
  keyName(value: string): string
}

/** Under these policies, a refusal says the most. They do not decide whether a request is refused. */
export const tellingPolicies: PolicyOverrides = {
  'errors.body': 'envelope',
  'keys.missing.status': '401',
  'keys.insufficient.status': '403',
  'annotations.delete.status': '405',
}

const maxLength = 300

/**
 * Explains in a sentence why the response of a request is as it is. A refused request is answered again, in the rows of
 * that time. If they are no longer known, the sentence is that of the response.
 *
 * @returns null for an unremarkable success
 * @example '401: no key matches phx_a…'
 */
export function explainResponse(
  record: JournalRecord,
  source: DecisionSource,
  names: KeyNames,
): string | null {
  const { status } = record.response
  const repetition = status > 0 && status < 400 ? describeRepetition(record, source) : null
  const parts = [
    ...(repetition === null ? [] : [repetition]),
    ...(status < 400 || isReplacedByFault(record) ? [] : [explainRefusal(record, source, names)]),
    ...(record.fault ? [describeAppliedFault(record.fault)] : []),
  ]
  if (parts.length === 0) return status === 0 ? 'no response: the connection broke' : null
  const text = parts.join('; ')
  return `${status === 0 ? 'no response' : status}: ${toLine(text, names.redactor)}`
}

/** Masks the keys in a text, escapes control characters, and shortens it. */
export function toLine(text: string, redactor: KeyRedactor): string {
  const line = [...escapeControls(redactor.text(text))]
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).join('')}…` : line.join('')
}

export function describeAppliedFault({ id, effect, phase }: RecordedFault): string {
  const description = describeEffect(effect as FaultEffect, phase as FaultPhase)
  return `the fault ${quote(id)} was applied: ${description}`
}

/** Whether a fault replaced the response of the service. Other faults delay, cut or slow it down. */
export function isReplacedByFault({ fault }: JournalRecord): boolean {
  const effect = fault?.effect
  return isObject(effect) && ['error', 'status', 'drop'].some((name) => name in effect)
}

function explainRefusal(record: JournalRecord, source: DecisionSource, names: KeyNames): string {
  const { settings, policyReads, response } = record
  // Recordings and neighbours answer without reading policies.
  if (!policyReads) return describeGenerally(record)
  const route = findRoute(record, settings)
  if (!route)
    return response.status === 404 ? describeUnknownPath(record) : describeGenerally(record)
  const past = PastRequest.open(record, source)
  const isSame = past?.answer().status === response.status
  const failure = isSame ? parseFailure(past.answer(tellingPolicies).text) : null
  if (!past || !failure)
    return response.status === 500 ? unexpectedError : describeGenerally(record)
  const { keyName } = names
  const refusal = new Refusal({ past, route, failure, source, keyName })
  return explainFailure(refusal) ?? describeFailure(failure, route)
}

/** The sentence of the response, if it has one. */
function describeGenerally({ response }: JournalRecord): string {
  const failure = parseFailure(bodyText(response.body))
  return failure ? describeFailure(failure) : 'the request was refused'
}

/** Parses the body of an error. Returns null for any other text. */
export function parseFailure(text: string): ApiError | null {
  const parsed = tryParseJson(text)?.value
  const failure = Array.isArray(parsed) ? parsed[0] : parsed
  return isObject(failure) && typeof failure.detail === 'string' ? (failure as never) : null
}

/** @example 'body.deleted: Must be a valid boolean' */
function describeFailure({ attr, detail }: ApiError, route?: ResolvedRoute<World>): string {
  const sentence = withoutPeriod(detail)
  if (typeof attr !== 'string') return sentence
  const isParameter = route && Object.hasOwn(route.endpoint.query ?? {}, attr)
  return `${isParameter ? '?' : 'body.'}${attr}: ${sentence}`
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

function describeUnknownPath({ method, target, settings }: JournalRecord): string {
  const [path = ''] = apiPath(target).split('?')
  const [, suffix] = /\.([a-z0-9]+)\/?$/.exec(path) ?? []
  const isSuffixed = suffix !== undefined && settings['paths.format'] === 'off'
  if (isSuffixed) return `the suffix .${suffix} is not accepted`
  const sentence = `no operation has the path ${quote(path)}`
  const isNeighbour = /^\/api\/(?:users\/@me|organizations\/@current)\/?$/.test(path)
  if (method === 'GET' && isNeighbour) return `${sentence}, but --neighbours default responds to it`
  const [nearest] = suggestEndpoints(method, path, endpoints, settings)
  const [, route = ''] = nearest?.route.split(' ') ?? []
  const isSimilar = distance(path, route) <= Math.max(path.length, route.length) / 2
  return isSimilar ? `${sentence} (nearest: ${nearest?.route}; ${nearest?.difference})` : sentence
}
