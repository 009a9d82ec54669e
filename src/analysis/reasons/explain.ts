import { endpoints } from '../../api/endpoints.ts'
import { toApiError } from '../../http/failures.ts'
import { bodyText, isOmitted, sentHeaders } from '../../http/messages.ts'
import { apiPath, requestTarget } from '../../http/url.ts'
import { documentLines } from '../../policies/document.ts'
import type { PolicyId } from '../../policies/policies.ts'
import { responseShape, variablePaths } from '../../sandbox/faults/response-variants.ts'
import { type FaultEffect, variantOf } from '../../sandbox/faults/rule.ts'
import {
  describeAppliedFault,
  isChangedByFault,
  isReplacedByFault,
} from '../../sandbox/journal/explain-response.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { parseRequestBody } from '../../sandbox/journal/render-parts.ts'
import { Renderer } from '../../sandbox/journal/renderer.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { isObject } from '../../utils/json.ts'
import { maskKey } from '../../utils/redaction/mask.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { fieldChecks, headerConstants } from './constants.ts'
import { findDecisions, findInfluence } from './deciding-policies.ts'
import {
  behaviourReason,
  byEvidence,
  constantReason,
  evidenceOfField,
  evidenceOfStatus,
  failureReason,
  headerPolicies,
  policyReason,
  ruleOfField,
} from './evidence.ts'
import { findFollowedRules, listFields, reasonOfField } from './followed-rules.ts'
import type {
  ExplainedResponse,
  Reason,
  ResponseReasons,
  SuggestedRequest,
} from './response-reasons.ts'
import { findAcceptedRequest, type PlainRequest } from './suggest-request.ts'

const journalOff =
  'Failed to explain a response: the journal is off. Set the option journal: { entries: 1_000 }.'

/** Explains a response. @throws UsageError if the journal has no such response */
export async function explain(
  input: ExplainedResponse,
  sandbox: Sandbox,
): Promise<ResponseReasons> {
  if (input instanceof Response) return explainRecord(await findByResponse(input, sandbox), sandbox)
  const id = Number((isObject(input) ? input.id : input) ?? Number.NaN)
  if (Number.isNaN(id)) {
    const got = input === undefined ? 'undefined' : inspectValue(input)
    throw new UsageError(
      `Failed to explain a response: expected a response, a journal entry or its id, got ${got}.`,
    )
  }
  const reasons = explainEntry(id, sandbox)
  if (reasons) return reasons
  if (sandbox.journal.isOff) throw new UsageError(journalOff)
  throw new UsageError(
    `Failed to explain a response: the journal has no entry ${id}. It never existed, or is no longer stored.`,
  )
}

/** Explains the response of an entry. @returns undefined for an unknown or evicted entry */
export function explainEntry(id: number, sandbox: Sandbox): ResponseReasons | undefined {
  const record = sandbox.journal.records.find((each) => each.id === id)
  return record && explainRecord(record, sandbox)
}

/** The latest record with the URL, the status and, if it was not read yet, the body of a response. */
async function findByResponse(response: Response, sandbox: Sandbox): Promise<JournalRecord> {
  const text = response.bodyUsed ? null : await response.clone().text()
  const target = response.url === '' ? null : apiPath(requestTarget(response.url))
  const record = sandbox.journal.records.findLast(
    ({ method, target: sent, response: stored }) =>
      stored.status === response.status &&
      (target === null || apiPath(sent) === target) &&
      (text === null ||
        method === 'HEAD' ||
        isOmitted(stored.body) ||
        bodyText(stored.body) === text),
  )
  if (record) return record
  if (sandbox.journal.isOff) throw new UsageError(journalOff)
  throw new UsageError(
    'Failed to explain a response: the journal has no response like it. Pass a response of this simulator to a path of the API, or the id of an entry.',
  )
}

function explainRecord(record: JournalRecord, sandbox: Sandbox): ResponseReasons {
  const { id, settings, response } = record
  const renderer = new Renderer(sandbox)
  const entry = renderer.render(record)
  const { permissions, rows, shaping } = findInfluence(record, sandbox)
  const toReason = (id: PolicyId) => policyReason(id, settings)
  const decided = response.status < 400 ? permissions : findDecisions(record, sandbox)
  const decisions = decided.map(toReason)
  const ids = new Set([...decisions, ...entry.policies].map((each) => each.id as PolicyId))
  // After too many requests, and with a fault that changed the response, the same request may fail again.
  const isRefused = response.status >= 400 && response.status !== 429 && !isChangedByFault(record)
  const accepted = isRefused ? findAcceptedRequest(record, sandbox) : null
  const succeeded = `${response.status}: ${entry.operation ?? entry.method} succeeded.`
  return {
    entry: id,
    status: response.status,
    sentence: entry.reason ?? succeeded,
    ignored: entry.ignored,
    decided_by:
      response.status < 400
        ? findWeakestRule(record, sandbox, decisions, rows.map(toReason))
        : findRefusingRule(record, decisions),
    policies: [...ids].map((each) => policyReason(each, settings)),
    shaped_by: shaping,
    fields: explainFields(record),
    headers: mapToReasons(Object.keys(sentHeaders(response)).filter(isOfApi), (name) =>
      headerReason(name, record),
    ),
    request_fields: explainRequest(record),
    would_succeed: accepted && describeRequest(accepted, sandbox),
  }
}

/**
 * Finds the rule with the weakest evidence of those that a success follows.
 *
 * @param decisions the policies that made it possible
 * @param selecting the policies that selected its rows
 */
function findWeakestRule(
  record: JournalRecord,
  sandbox: Sandbox,
  decisions: readonly Reason[],
  selecting: readonly Reason[],
): Reason {
  const { method, settings, response, operation } = record
  if (isChangedByFault(record)) return faultReason(record)
  if (!record.policyReads) return configuredReason
  const own =
    method === 'HEAD'
      ? behaviourReason('methods.head')
      : (evidenceOfStatus(operation, response.status, settings) ?? configuredReason)
  const rules = [...decisions, own, ...findFollowedRules(record, sandbox, selecting)]
  return rules.toSorted(byEvidence)[0] as Reason
}

/** @param decisions the policies that decided */
function findRefusingRule(record: JournalRecord, decisions: readonly Reason[]): Reason {
  const { settings, response, operation, failure } = record
  if (isChangedByFault(record)) return faultReason(record)
  if (!record.policyReads) return configuredReason
  const [first] = decisions
  if (first?.evidence === 'documented') return withoutStatus(first)
  if (first) return first
  if (!failure) return evidenceOfStatus(operation, response.status, settings) ?? configuredReason
  const { code } = toApiError(failure)
  const check = failure.name === 'validation_error' ? fieldChecks[code] : undefined
  return check
    ? constantReason(`check.${code}`, check)
    : failureReason(failure.name, settings, operation)
}

/** The documentation states the requirement that a request missed, but no status of errors. */
function withoutStatus(reason: Reason): Reason {
  return { ...reason, documentation: [...reason.documentation, documentLines['errors.all']] }
}

const configuredReason: Reason = {
  id: 'configured',
  sentence: 'The response comes from a recording.',
  evidence: 'assumed',
  source: 'configured in this simulator',
  documentation: [],
}

/** Whether a header is one of the API, and not one that the simulator adds. */
const isOfApi = (name: string): boolean => !name.startsWith('understudy-')

function headerReason(name: string, record: JournalRecord): Reason {
  const { settings, response, fault } = record
  const policies: Readonly<Record<string, PolicyId>> = {
    ...headerPolicies,
    ...(response.status === 404 && { allow: 'paths.unknown' }),
    ...(response.status >= 400 && { 'content-type': 'errors.body' }),
  }
  if (fault && isReplacedByFault(record)) return faultReason(record)
  if (!record.policyReads) return configuredReason
  const policy = policies[name]
  if (policy) return policyReason(policy, settings)
  const constant = headerConstants[name]
  return constant ? constantReason(`header.${name}`, constant) : faultReason(record)
}

function explainFields(record: JournalRecord): ResponseReasons['fields'] {
  const { settings } = record
  const fields = listFields(record, 1)
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (isReplacedByFault(record)) return [name, faultReason(record)]
      if (!record.policyReads) return [name, configuredReason]
      if (record.response.status >= 400) return [name, policyReason('errors.body', settings)]
      if (isVaried(name, record)) return [name, faultReason(record)]
      return [name, reasonOfField(name, value, record) ?? faultReason(record)]
    }),
  )
}

function explainRequest(record: JournalRecord): ResponseReasons['request_fields'] {
  const body = parseRequestBody(record)
  const operation = record.operation ?? ''
  return mapToReasons(isObject(body) ? Object.keys(body) : [], (name) => {
    const rule = ruleOfField(operation, name)
    return rule ?? (evidenceOfField(operation, 'body', name, record.settings) as Reason)
  })
}

function mapToReasons(
  names: readonly string[],
  toReason: (name: string) => Reason,
): Readonly<Record<string, Reason>> {
  return Object.fromEntries(names.map((name) => [name, toReason(name)]))
}

function describeRequest(request: PlainRequest, { tables }: Sandbox): SuggestedRequest {
  const { method, prefix, path, query, key, body } = request
  const label = key === null ? undefined : tables.keys.get(key)?.label
  return {
    method,
    path: `${prefix}${path}${query === '' ? '' : `?${query}`}`,
    key:
      key === null ? null : { label: label === key ? null : (label ?? null), value: maskKey(key) },
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body ?? null,
  }
}

/** The reason of what a fault did. */
function faultReason(record: JournalRecord): Reason {
  const { fault } = record
  const sentence = fault ? `${describeAppliedFault(fault)}.` : 'The connection broke.'
  const by = 'a fault rule of this simulator'
  return { id: `fault.${fault?.id}`, sentence, evidence: 'assumed', source: by, documentation: [] }
}

/** Whether a fault changed a field. @param name the path of the field, such as `results.0.content` */
function isVaried(name: string, { fault, operation, settings }: JournalRecord): boolean {
  const variant = variantOf((fault?.effect ?? {}) as FaultEffect)
  const endpoint = endpoints.find(({ id }) => id === operation)
  if (!variant || !endpoint || !fault?.effects.includes('variant')) return false
  const { kind, field } = variant
  if (kind === 'empty_page') return name === 'next' || name === 'results'
  const path = name.replace(/^(?:results\.)?\d+\./, '')
  const paths = variablePaths(kind, responseShape(endpoint, settings))
  return kind !== 'extra_field' && paths.includes(path) && (field ?? path) === path
}
