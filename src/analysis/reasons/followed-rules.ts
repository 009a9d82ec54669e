import { findRoute } from '../../api/find-route.ts'
import { createRowWriter } from '../../api/row-text.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import { bodyLength, bodyText } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import { isByPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import { documentedNulls, documentedParameters } from '../../policies/document.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import {
  type DecisionSource,
  PastRequest,
  type ReceivedRequest,
} from '../../sandbox/journal/past-request.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { type Annotation, type AnnotationRow, annotation } from '../../world/entities/annotation.ts'
import type { Field } from '../../world/entities/field.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { matchesTerms } from '../../world/search.ts'
import type { OrderedRows } from '../../world/sorted-list.ts'
import { ofOrganization, ofProject, type Tables, withDeleted } from '../../world/tables.ts'
import type { BehaviourId } from './constants.ts'
import { behaviourReason, evidenceOfField, policyReason, ruleOfField } from './evidence.ts'
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
    ...rulesOfPage(received, record),
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

/** Ids that are written otherwise than in the row that they lead to. */
function rulesOfPath({ input }: ReceivedRequest, record: JournalRecord): Reason[] {
  const { params = {} } = findRoute(record, record.settings) ?? {}
  const { project, organization, subject } = input
  const { id } = (subject ?? {}) as { readonly id?: number }
  // A token can lead to another project than that of the path.
  const isOther = (text = '', own?: number): boolean =>
    own !== undefined && text !== String(own) && parseInteger(text) === own
  const isNumberOther = isOther(params.project_id, project?.id) || isOther(params.id, id)
  const { organization_id: uuid = '@current' } = params
  const isUuidOther = uuid !== '@current' && organization !== undefined && uuid !== organization.id
  return [
    ...(isUuidOther ? [behaviourReason('paths.uuids')] : []),
    ...(isNumberOther ? [behaviourReason('paths.ids')] : []),
  ]
}

function rulesOfQuery(received: ReceivedRequest, { target, settings }: JournalRecord): Reason[] {
  const { endpoint, input } = received
  const query = new URLSearchParams(queryString(target))
  const names = [...query.keys()]
  const parametersOf = (name: string) => {
    const parameter = endpoint.query?.[name]
    // A parameter without a schema is ignored.
    return parameter && resolveByPolicy(parameter, settings).schema ? [parameter] : []
  }
  const documented = documentedParameters[endpoint.id] ?? []
  const undocumented = names.filter((name) => !documented.includes(name)).flatMap(parametersOf)
  const isFormatRead = names.includes('format') && settings['paths.format'] === 'on'
  const isIgnored = names.some(
    (name, at) => parametersOf(name).length === 0 || names.indexOf(name) < at,
  )
  const isUnusual = ['limit', 'offset'].some((name) => {
    const text = query.getAll(name).at(-1)
    const number = input.query[name]
    return text !== undefined && String(number) !== text && parseInteger(text) === number
  })
  return [
    ...(isFormatRead ? [policyReason('paths.format', settings)] : []),
    ...undocumented.filter(isByPolicy).map(({ policy }) => policyReason(policy, settings)),
    ...(isIgnored ? [behaviourReason('fields.unknown')] : []),
    ...(isUnusual ? [behaviourReason('lists.numbers')] : []),
    ...(isSearched(received, settings) ? [behaviourReason('annotations.search')] : []),
  ]
}

/** Whether a row of a list has a word of the search anywhere. No line says which of these rows are found. */
function isSearched(
  { endpoint, input, tables }: ReceivedRequest,
  settings: PolicySettings,
): boolean {
  const { search = [] } = input.query as { readonly search?: readonly string[] }
  if (endpoint.id !== 'listAnnotations' || !input.project || search.length === 0) return false
  const words = search.map((word) => JSON.stringify(word).slice(1, -1))
  return [...visibleRows(input.project, tables, settings)].some((row) => {
    const { text } = writeAnnotation(row, { tables, settings })
    return words.some((word) => matchesTerms(text, [word]))
  })
}

const writeAnnotation = createRowWriter<AnnotationRow, Annotation>(annotation)

function visibleRows(
  { id, organization }: ProjectRow,
  { annotations }: Tables,
  settings: PolicySettings,
): OrderedRows<AnnotationRow> {
  const listsDeleted = settings['annotations.deleted.visibility'] === 'listed'
  const [own, shared] = [ofProject(id), ofOrganization(organization)].map((index) =>
    listsDeleted ? withDeleted(index) : index,
  ) as [string, string]
  return annotations.listed(own, shared)
}

/** A project sees annotations of other projects. */
function rulesOfRows({ endpoint, input, tables }: ReceivedRequest): Reason[] {
  const { project, subject, query } = input
  if (!project) return []
  const shared =
    endpoint.id === 'listAnnotations'
      ? [...tables.annotations.listed(ofOrganization(project.organization))].filter(({ content }) =>
          matchesTerms(content, query.search as readonly string[]),
        )
      : []
  const rows = subject ? [subject as AnnotationRow] : shared
  const isOfOther = rows.some((row) => row.project !== project.id)
  return isOfOther ? [behaviourReason('annotations.visibility')] : []
}

/** Which rows are on a page that has not all rows depends on their order. */
function rulesOfPage(received: ReceivedRequest, { response, settings }: JournalRecord): Reason[] {
  const order = orders[received.endpoint.id]
  if (!order) return []
  const { count, results = [] } = Object(tryParseJson(bodyText(response.body))?.value)
  if (results.length === 0 || results.length >= count) return []
  const isTied = cutsTies(received, results.length, settings)
  return [behaviourReason(isTied ? 'order.ties' : order)]
}

/** Whether a page begins or ends between annotations with the same date_marker. */
function cutsTies(
  { endpoint, input, tables }: ReceivedRequest,
  length: number,
  settings: PolicySettings,
): boolean {
  if (endpoint.id !== 'listAnnotations' || !input.project) return false
  const { search, offset } = input.query as { search: readonly string[]; offset: number }
  const listed = [...visibleRows(input.project, tables, settings)].filter(({ content }) =>
    matchesTerms(content, search),
  )
  const markerAt = (index: number) => listed[index]?.date_marker
  return [offset, offset + length].some((at) => at > 0 && markerAt(at - 1) === markerAt(at))
}

const orders: Readonly<Record<string, BehaviourId>> = {
  listAnnotations: 'order.annotations',
  listPlugins: 'order.plugins',
  listProjects: 'order.plugins',
}

function rulesOfBody(received: ReceivedRequest, record: JournalRecord): Reason[] {
  const { endpoint, schema, sent = {} } = received
  if (!schema) return bodyLength(record.requestBody) ? [behaviourReason('fields.unknown')] : []
  // The names of these fields are free.
  if (schema.schema || !isObject(sent)) return []
  const isEmpty = Object.keys(sent).length === 0
  const isUnknown = Object.keys(sent).some((name) => !Object.hasOwn(schema.fields, name))
  const isRepeated = countKeys(bodyText(record.requestBody)) > countKeys(JSON.stringify(sent))
  const values = Object.entries(sent).map(([name, value]) =>
    rulesOfValue(name, value, received, record),
  )
  return [
    ...values.flatMap(({ accepting }) => accepting ?? []),
    ...(isUnknown || isRepeated ? [behaviourReason('fields.unknown')] : []),
    ...(endpoint.method === 'POST' ? rulesOfMissing(schema, sent, record) : []),
    ...(endpoint.method === 'PATCH' && isEmpty ? [behaviourReason('bodies.empty')] : []),
    ...values.flatMap(({ changing }) => changing ?? []),
  ]
}

/** How many names of fields a JSON text has. */
function countKeys(text: string): number {
  const strings = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/g) ?? []
  return strings.filter((each) => each.endsWith(':')).length
}

interface ValueRules {
  /** Accepts a value that the documentation does not show. */
  readonly accepting?: Reason
  /** Stores another value of the same type. */
  readonly changing?: Reason
}

function rulesOfValue(
  name: string,
  value: unknown,
  { endpoint, schema, input }: ReceivedRequest,
  { settings }: JournalRecord,
): ValueRules {
  const resolvable = schema?.fields[name]
  const { field, isIgnored } = (resolvable && resolveByPolicy(resolvable, settings)) ?? {}
  if (!field || isIgnored || value === null) return {}
  if (field.choices) {
    const isSample = value === field.values?.[0]
    return isSample ? {} : { accepting: policyReason(field.choices.policy, settings) }
  }
  const rule = ruleOfField(endpoint.id, name)
  const read = input.body?.[name]
  if (!rule || isSame(field, value, read)) return {}
  const isTyped = typeof value === typeof read && (field.kind !== 'time' || isUtc(value))
  return isTyped ? { changing: rule } : { accepting: rule }
}

/** Whether a value was read as it was sent. Of a time in UTC, six digits of a second are kept, and zeros can follow. */
function isSame({ kind }: Field, sent: unknown, read: unknown): boolean {
  return kind === 'time' ? isUtc(sent, /^(?:\.\d{1,6}0*)?Z$/) : sent === read
}

/** Whether a value is an ISO 8601 date-time in UTC. @param end what follows the seconds */
function isUtc(value: unknown, end = /^(?:\.\d+)?Z$/): boolean {
  const [, rest] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/.exec(String(value)) ?? []
  return rest !== undefined && end.test(rest)
}

/** The rule by which a new row can lack fields that the documentation lists. */
function rulesOfMissing(
  { fields, required }: BodySchema<unknown>,
  sent: Readonly<Record<string, unknown>>,
  { settings }: JournalRecord,
): Reason[] {
  const isMissing = Object.values(fields).some((resolvable) => {
    const { field } = resolveByPolicy(resolvable, settings)
    return field.writable && field.cites !== 'observed' && !Object.hasOwn(sent, field.name)
  })
  if (!isMissing) return []
  return isByPolicy(required)
    ? [policyReason(required.policy as PolicyId, settings)]
    : [behaviourReason('annotations.create.required')]
}

type NamedValue = readonly [name: string, value: unknown]

/**
 * The fields of the body of a response by their paths: those of its rows, and of the objects that are documented.
 *
 * @param rows how many rows of a list are read
 */
export function listFields({ response }: JournalRecord, rows: number): NamedValue[] {
  return fieldsOf(tryParseJson(bodyText(response.body))?.value, '', rows)
}

function fieldsOf(value: unknown, prefix: string, rows: number): NamedValue[] {
  if (Array.isArray(value)) {
    return value.slice(0, rows).flatMap((row, at) => fieldsOf(row, `${prefix}${at}.`, rows))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const isOpen = Array.isArray(inner) ? name === 'results' : name === 'created_by'
    const path = prefix + name
    return [[path, inner] as const, ...(isOpen ? fieldsOf(inner, `${path}.`, rows) : [])]
  })
}

/** The rule behind a field of a successful response, or behind its null. @returns undefined for a field that responses never have */
export function reasonOfField(
  name: string,
  value: unknown,
  { operation, settings }: JournalRecord,
): Reason | undefined {
  const reason = evidenceOfField(operation, 'response', name, settings)
  const isNullDocumented = documentedNulls.includes(name.split('.').at(-1) as string)
  if (value !== null || isNullDocumented || reason?.evidence !== 'documented') return reason
  if (name === 'next' || name === 'previous') return behaviourReason('lists.links')
  return { ...behaviourReason('fields.null'), documentation: reason.documentation }
}

/**
 * The rule of the first null in a row that is not documented to be null. The links of a page are no part of a row: where
 * there is no other page, no address can be sent.
 */
function findNullRules(record: JournalRecord): Reason[] {
  for (const [name, value] of listFields(record, Infinity)) {
    const reason = value === null ? reasonOfField(name, value, record) : undefined
    if (reason?.id === 'fields.null') return [reason]
  }
  return []
}
