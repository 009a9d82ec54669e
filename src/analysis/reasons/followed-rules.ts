import type { BodySchema } from '../../http/fields/body-fields.ts'
import { bodyLength } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import { isByPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId } from '../../policies/policies.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import {
  type DecisionSource,
  findRoute,
  PastRequest,
  type ReceivedRequest,
} from '../../sandbox/journal/past-request.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python/text.ts'
import type { AnnotationRow } from '../../world/entities/annotation.ts'
import type { Field } from '../../world/entities/field.ts'
import { organizationIndex } from '../../world/table/tables.ts'
import { behaviourReason, policyReason, ruleOfField } from './evidence.ts'
import { findNullRules } from './field-reasons.ts'
import type { Reason } from './response-reasons.ts'

/**
 * Finds the rules that a success follows and that no line of the documentation states: those of its key, its parameters,
 * its rows and the fields of its body, in the order in which they are read. The scope `*` comes last, because most keys of
 * tests have it.
 *
 * @param selecting the policies that selected its rows
 */
export function findFollowedRules(
  record: JournalRecord,
  source: DecisionSource,
  selecting: readonly Reason[],
): Reason[] {
  const received = PastRequest.open(record, source)?.receive()
  if (!received) return []
  const key = ruleOfKey(received, record)
  const others = [
    ...rulesOfPath(received, record),
    ...rulesOfQuery(received, record),
    ...rulesOfRows(received),
    ...selecting,
    ...rulesOfBody(received, record),
    ...findNullRules(record),
  ]
  if (!key) return others
  return key.id === 'keys.all_scopes' ? [...others, key] : [key, ...others]
}

function ruleOfKey(
  { endpoint, input }: ReceivedRequest,
  { settings }: JournalRecord,
): Reason | undefined {
  const scope = resolveByPolicy(endpoint.scope, settings)
  const { scopes } = input.caller.key
  if (scope === 'any_key' || scopes?.includes(scope)) return undefined
  if (scopes === null) return behaviourReason('keys.without_scopes')
  return scopes.includes('*') ? behaviourReason('keys.all_scopes') : undefined
}

/** An id that is written otherwise than in the row that it leads to. */
function rulesOfPath({ input }: ReceivedRequest, record: JournalRecord): Reason[] {
  const { params = {} } = findRoute(record, record.settings) ?? {}
  const { project, organization, subject } = input
  const pairs = [
    [params.project_id, project?.id],
    [params.organization_id, organization?.id],
    [params.id, (subject?.row as { readonly id: number } | undefined)?.id],
  ]
  const isOther = pairs.some(([text, id]) => {
    return text !== undefined && text !== '@current' && id !== undefined && text !== `${id}`
  })
  return isOther ? [behaviourReason('paths.ids')] : []
}

function rulesOfQuery(
  { endpoint, input }: ReceivedRequest,
  { target, settings }: JournalRecord,
): Reason[] {
  const query = new URLSearchParams(queryString(target))
  const names = [...query.keys()]
  const known = Object.keys(endpoint.query ?? {})
  const isFormatRead = names.includes('format') && settings['paths.format'] === 'on'
  const isIgnored = names.some((name, at) => !known.includes(name) || names.indexOf(name) < at)
  const { search = [] } = input.query as { readonly search?: readonly string[] }
  const isUnusual = ['limit', 'offset'].some((name) => {
    const text = query.getAll(name).at(-1)
    const number = input.query[name]
    return text !== undefined && String(number) !== text && parseInteger(text) === number
  })
  return [
    ...(isFormatRead ? [policyReason('paths.format', settings)] : []),
    ...(isIgnored ? [behaviourReason('fields.unknown')] : []),
    ...(isUnusual ? [behaviourReason('lists.numbers')] : []),
    ...(search.length > 1 ? [behaviourReason('annotations.search')] : []),
  ]
}

/** A project sees annotations of other projects. */
function rulesOfRows({ endpoint, input, tables }: ReceivedRequest): Reason[] {
  const { project, subject, query } = input
  if (!project) return []
  const shared =
    endpoint.id === 'listAnnotations'
      ? tables.annotations
          .list([organizationIndex(project.organization)])
          .search(query.search as readonly string[])
          .toArray()
      : []
  const entries = subject ? [subject] : shared
  const isOfOther = entries.some(({ row }) => (row as AnnotationRow).project !== project.id)
  return isOfOther ? [behaviourReason('annotations.visibility')] : []
}

function rulesOfBody(received: ReceivedRequest, record: JournalRecord): Reason[] {
  const { endpoint, schema, sent = {} } = received
  if (!schema) return bodyLength(record.requestBody) ? [behaviourReason('fields.unknown')] : []
  // The names of these fields are free.
  if (schema.schema || !isObject(sent)) return []
  const isEmpty = Object.keys(sent).length === 0
  const isUnknown = Object.keys(sent).some((name) => !Object.hasOwn(schema.fields, name))
  return [
    ...Object.entries(sent).flatMap(([name, value]) => rulesOfValue(name, value, received, record)),
    ...(isUnknown ? [behaviourReason('fields.unknown')] : []),
    ...(endpoint.method === 'POST' ? rulesOfMissing(schema, sent, record) : []),
    ...(endpoint.method === 'PATCH' && isEmpty ? [behaviourReason('bodies.empty')] : []),
  ]
}

/** A field of which a value was read that the documentation does not show, or otherwise than it was sent. */
function rulesOfValue(
  name: string,
  value: unknown,
  { endpoint, schema, input }: ReceivedRequest,
  { settings }: JournalRecord,
): Reason[] {
  const resolvable = schema?.fields[name]
  const { field, isIgnored } = (resolvable && resolveByPolicy(resolvable, settings)) ?? {}
  if (!field || isIgnored || value === null) return []
  if (field.choices) {
    return value === field.values?.[0] ? [] : [policyReason(field.choices.policy, settings)]
  }
  const rule = ruleOfField(endpoint.id, name)
  return rule && !isReadAsSent(field, value, input.body?.[name]) ? [rule] : []
}

/** Whether a value is of the documented type, and nothing of it was changed. */
function isReadAsSent({ kind }: Field, sent: unknown, read: unknown): boolean {
  // A time in UTC can have fewer or more digits of a second.
  return kind === 'time' ? /T.*Z$/.test(String(sent)) : sent === read
}

/** The rule by which a new row can lack fields. */
function rulesOfMissing(
  { fields, required }: BodySchema<unknown>,
  sent: Readonly<Record<string, unknown>>,
  { settings }: JournalRecord,
): Reason[] {
  const isMissing = Object.values(fields).some((resolvable) => {
    const { field } = resolveByPolicy(resolvable, settings)
    return field.writable && !Object.hasOwn(sent, field.name)
  })
  if (!isMissing) return []
  return isByPolicy(required)
    ? [policyReason(required.policy as PolicyId, settings)]
    : [behaviourReason('annotations.create.required')]
}
