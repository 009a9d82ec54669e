import { distance } from 'fastest-levenshtein'
import { endpoints, pathItems, type World } from '../../api/endpoints.ts'
import { accessLevels } from '../../api/plugins/plugins.ts'
import { keyFieldName } from '../../http/authorize.ts'
import { acceptedMediaTypes } from '../../http/body.ts'
import { type Because, type Failure, toApiError } from '../../http/failures.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { matchesPath } from '../request-pattern.ts'
import type { JournalRecord } from './journal.ts'
import type { DecisionSource } from './past-request.ts'
import { Refusal } from './refusal.ts'
import { parseRequestBody } from './render-parts.ts'

/** The checks of a request, in the order in which they run. */
const checks = [
  'path',
  'accept',
  'key',
  'scope',
  'body',
  'parent',
  'membership',
  'rate',
  'method',
  'row',
  'fields',
] as const

type BecauseOf<Id> = Extract<Because, { readonly id: Id }>

/** The check that finds a reason, and its sentence. Without one, the sentence is that of the response. */
interface ReasonRule<Id> {
  readonly check: (typeof checks)[number]
  readonly say?: (because: BecauseOf<Id>, refusal: Refusal) => string | undefined
}

/** By the id of the reason. */
const reasons: { readonly [Id in Because['id']]: ReasonRule<Id> } = {
  not_acceptable: {
    check: 'accept',
    say: (_, { header }) =>
      `the Accept header ${quote(header('accept'))} does not allow application/json`,
  },
  'format.unknown': {
    check: 'accept',
    say: ({ format }) => `the format ${quote(format)} is not supported, only json`,
  },
  'path.unknown': { check: 'path', say: (_, { record }) => describeUnknownPath(record) },

  not_authenticated: {
    check: 'key',
    say(_, { record, header, tables, nameOf }) {
      const authorization = header('authorization')
      if (authorization === '') {
        return `the request has no Authorization header${describeOtherPlace(record)}`
      }
      if (/^Bearer$/.test(authorization))
        return 'the Authorization header has no key after `Bearer`'
      if (/^Bearer\s/.test(authorization)) return 'the key in the Authorization header is too short'
      const [scheme] = otherScheme.exec(authorization) ?? []
      if (scheme) return `the Authorization header has ${quote(scheme)} instead of \`Bearer\``
      const key = tables.keys.get(authorization) ? ` before ${nameOf(authorization)}` : ''
      return `the header has no \`Bearer \`${key}`
    },
  },
  authentication_failed: {
    check: 'key',
    say(_, { source, tables, sentKey: { value: key, location }, nameOf }) {
      const where = location === 'Authorization header' ? '' : ` (in the ${location})`
      if (missingValues.includes(key)) return `the key is the word ${quote(key)}${where}`
      const inner = key.replace(/^(?:Bearer\s+|["'<]+)|["'>]+$/gi, '')
      if (tables.keys.get(inner)) return `there is text around ${nameOf(inner)}${where}`
      if (source.changes.formerKeys.has(key))
        return `${nameOf(key)} was revoked, or removed by a reset`
      return `no key matches ${startOf(key)}${where}${describeOwner(key, source)}`
    },
  },
  'key.inactive': {
    check: 'key',
    say: (_, { key, nameOf }) => `the user of ${nameOf(key)} is inactive`,
  },
  'token.unknown': {
    check: 'parent',
    say: () => 'no project has the token that the request contains',
  },

  permission_denied: { check: 'scope' },
  'scope.missing': {
    check: 'scope',
    say: ({ required, held }, { key, nameOf }) =>
      `${nameOf(key)} lacks the scope ${required} (it ${describeScopes(held)})`,
  },
  'scope.refused': {
    check: 'scope',
    say: ({ held }, { record, route, methods, key, nameOf }) =>
      route?.endpoint.method === '*'
        ? `this path has no ${record.method}, only ${methods} (a key with scopes gets no 405)`
        : `only keys without a list of scopes are accepted, and ${nameOf(key)} ${describeScopes(held)}`,
  },
  'key.restricted': {
    check: 'scope',
    say({ projects, organizations }, { route, key, nameOf, nameParent }) {
      const limits = [...projects, ...organizations].map(nameParent)
      const hasNoProject = projects.length > 0 && route?.params.project_id === undefined
      const hint = hasNoProject ? ', and this path has no project' : ''
      return `${nameOf(key)} is limited to ${limits.join(', ')}${hint}`
    },
  },
  'member.missing': {
    check: 'membership',
    say(_, { route, key, nameOf }) {
      const project = route?.params.project_id
      const place = project === undefined ? '' : ` of project ${project}`
      return `the user of ${nameOf(key)} is not a member of the organization${place}`
    },
  },
  'access.level': {
    check: 'membership',
    say({ level }) {
      const { configure, install, root } = accessLevels
      return `the plugins_access_level of the organization is ${level}; reading requires ${configure}, writing ${install}, is_global ${root}`
    },
  },
  throttled: {
    check: 'rate',
    say(_, { failure, key, nameOf }) {
      const { retryAfter } = failure.details
      const wait = `${retryAfter} second${retryAfter === 1 ? '' : 's'}`
      const hint = retryAfter === undefined ? '' : `; its next request is allowed in ${wait}`
      return `${nameOf(key)} has sent too many requests${hint}`
    },
  },

  method_not_allowed: {
    check: 'method',
    say: (_, { record, route, methods }) =>
      route ? `this path has no ${record.method}, only ${methods}` : undefined,
  },
  'delete.refused': {
    check: 'method',
    say: () => 'annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
  'plugin.global': {
    check: 'row',
    say: () => 'a global plugin cannot be deleted; send PATCH with {"is_global": false} first',
  },

  not_found: { check: 'row' },
  'parent.missing': {
    check: 'parent',
    say({ kind }, { record, route }) {
      const id = route?.params[`${kind}_id`] ?? ''
      if (id === '@current') {
        const isOff = record.settings['paths.current'] === 'off'
        return isOff ? '`@current` is not accepted' : `the user of the key has no ${kind}`
      }
      const isId = (kind === 'project' ? parseInteger(id) : parseUuid(id)) !== undefined
      if (isId) return `no ${kind} ${id}`
      const form =
        kind === 'project' ? 'a project, which is a number' : 'an organization, which is a UUID'
      return `${quote(id)} is not the id of ${form}`
    },
  },
  'id.invalid': {
    check: 'row',
    say: (_, { route, kind }) =>
      `${quote(route?.params.id ?? '')} is not the id of ${kind === 'plugin' ? 'a plugin' : 'an annotation'}`,
  },
  'row.missing': {
    check: 'row',
    say({ parent, owner }, { kind, rowId, nameParent }) {
      const sentence = `no ${kind} ${rowId} in ${nameParent(parent)}`
      return owner === undefined ? sentence : `${sentence} (it belongs to ${nameParent(owner)})`
    },
  },
  'row.deleted': { check: 'row', say: (_, { kind, rowId }) => `${kind} ${rowId} is deleted` },
  'row.unmatched': {
    check: 'row',
    say: (_, { kind, rowId }) => `${kind} ${rowId} does not match the parameter search`,
  },
  'row.foreign': {
    check: 'row',
    say: (_, { kind, rowId }) => `${kind} ${rowId} belongs to another organization`,
  },
  'rows.none': {
    check: 'fields',
    say: (_, { record }) =>
      `the organization has no plugin that ${missingPlugins[record.operation ?? '']}`,
  },

  parse_error: { check: 'body' },
  'json.invalid': {
    check: 'body',
    say: ({ message }) => `the body is not valid JSON: ${message}`,
  },
  unsupported_media_type: {
    check: 'body',
    say(_, { record, header }) {
      const type = header('content-type')
      const accepted = acceptedMediaTypes(record.settings).join(', ')
      const sent = type === '' ? 'has no Content-Type' : `has the Content-Type ${quote(type)}`
      return `the body ${sent}; accepted: ${accepted}`
    },
  },
  body_too_large: {
    check: 'body',
    say(_, { record, route }) {
      const limit = route?.endpoint.bodyLimit ?? record.settings['limits.body']
      return `the body has more than ${limit.toLocaleString('en')} bytes; send at most that many`
    },
  },
  'body.type': {
    check: 'fields',
    say(_, { record }) {
      const body = parseRequestBody(record)
      const type = body === null ? 'null' : Array.isArray(body) ? 'a list' : `a ${typeof body}`
      return `the body is ${type}, not an object`
    },
  },
  'choice.unknown': {
    check: 'fields',
    say({ allowed }, { record, failure }) {
      const attr = failure.details.attr ?? ''
      const value = String(Object(parseRequestBody(record))[attr])
      const meant = didYouMean(value, allowed)
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`
      const choices = allowed.map((each) => each || '""').join(', ')
      return `body.${attr}: ${quote(value)} is not one of ${choices}${hint}`
    },
  },
  'text.long': { check: 'fields' },
  validation_error: { check: 'fields' },
  'url.missing': {
    check: 'fields',
    say: () => 'the body has no url, without which the live service crashes',
  },
  'service.crash': {
    check: 'fields',
    say: ({ input }) => `${input}; the live service crashes`,
  },
  server_error: {
    check: 'fields',
    say: () => 'an unexpected exception was thrown, and passed to onError',
  },
}

/** Which plugin an operation needs that answers with the first one of a kind. */
const missingPlugins: Readonly<Record<string, string>> = {
  listExportsUnsubscribeConfigs: 'exports data',
  listPluginRepository: 'is in the repository',
  listUnusedPlugins: 'no project uses',
}

/** Why a request was refused. */
export function reasonOf({ name, details }: Failure): Because {
  return details.because ?? { id: name }
}

/** A failure, and the route of the request that has it. */
interface RoutedFailure {
  readonly failure: Failure
  readonly route: ResolvedRoute<World> | null
}

/** The place of the check that finds a failure, in the order of the checks. */
export function orderOfCheck({ failure, route }: RoutedFailure): number {
  const because = reasonOf(failure)
  // Keys with scopes are refused there because the path does not have the method.
  const isMethod = because.id === 'scope.refused' && route?.endpoint.method === '*'
  return checks.indexOf(!route ? 'path' : isMethod ? 'method' : reasons[because.id].check)
}

/** Whether an earlier check found one failure than another. */
export function isFoundEarlier(one: RoutedFailure, other: RoutedFailure): boolean {
  const [earlier, later] = [orderOfCheck(one), orderOfCheck(other)]
  // Where a setting allows a key in the body, a missing key is found after the syntax of the body.
  if (earlier === checks.indexOf('body') && later === checks.indexOf('key')) return true
  return earlier < later
}

/** Says why the service refused a request. @param nameOf returns `the key`, and its label if it has one */
export function describeRefusal(
  record: JournalRecord,
  failure: Failure,
  source: DecisionSource,
  nameOf: (key: string) => string,
): string {
  const refusal = new Refusal({ record, failure, source, nameOf })
  const because = reasonOf(failure)
  const { say } = reasons[because.id] as ReasonRule<Because['id']>
  return say?.(because, refusal) ?? describeError(toApiError(failure), refusal.route)
}

/** The sentence of a response. @example 'body.deleted: Must be a valid boolean' */
export function describeError(
  { attr, detail }: { readonly attr?: unknown; readonly detail: string },
  route: ResolvedRoute<World> | null = null,
): string {
  const sentence = detail.replace(/\.$/, '')
  if (typeof attr !== 'string') return sentence
  const isParameter = Object.hasOwn(route?.endpoint.query ?? {}, attr)
  return `${isParameter ? '?' : 'body.'}${attr}: ${sentence}`
}

const otherScheme = /^(?:basic|digest|token|oauth|api-?key|jwt|bearer):?(?=\s|$)/i
const otherHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token']

/** Names the place of a key that is not read, if the request has one. */
function describeOtherPlace(record: JournalRecord): string {
  const { requestHeaders, target } = record
  const header = otherHeaders.find((name) => requestHeaders.get(name))
  const places = [
    ...(header === undefined ? [] : [`header ${header}`]),
    ...(new URLSearchParams(queryString(target)).has(keyFieldName) ? ['query'] : []),
    ...(Object.hasOwn(Object(parseRequestBody(record)), keyFieldName) ? ['body'] : []),
  ]
  return places.length === 0 ? '' : `, and the key in the ${places[0]} is not read`
}

/** Words that stand for a value that a program does not have. */
const missingValues = ['undefined', 'null', 'None', 'nil', '[object Object]']

/** At most the first five characters of an unknown key, and at most half of it. */
function startOf(key: string): string {
  const characters = [...key]
  return `${characters.slice(0, Math.min(5, characters.length / 2)).join('')}…`
}

/** Says that an unknown key belongs to another sandbox. */
function describeOwner(key: string, source: DecisionSource): string {
  return source.isTakenElsewhere(key) ? '; another sandbox has it' : ''
}

function describeScopes(scopes: readonly string[] | null): string {
  if (scopes === null || scopes.length === 0) return 'has no scopes'
  return scopes.includes('*') ? 'has all scopes' : `has ${scopes.join(', ')}`
}

function describeUnknownPath({ method, target, settings }: JournalRecord): string {
  const [path = ''] = apiPath(target).split('?')
  const [, plain = '', suffix] = /^(.*)\.([a-z0-9]+)\/?$/.exec(path) ?? []
  const isSuffixed = pathItems.some((item) => matchesPath(plain, item.path))
  if (isSuffixed && settings['paths.format'] === 'off')
    return `the suffix .${suffix} is not accepted`
  const sentence = `no operation has the path ${quote(path)}`
  const [nearest] = suggestEndpoints(method, path, endpoints, settings)
  const [, route = ''] = nearest?.route.split(' ') ?? []
  const isSimilar = distance(path, route) <= Math.max(path.length, route.length) / 2
  return isSimilar ? `${sentence} (nearest: ${nearest?.route}; ${nearest?.difference})` : sentence
}

/** @example quote('abc') // '`abc`' */
export function quote(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``
}
