import type { ProjectContext } from '../../http/authorize.ts'
import { acceptedMediaTypes } from '../../http/body.ts'
import { bodyText } from '../../http/messages.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { explainMissingKey, explainPermission, explainWrongKey } from './key-reasons.ts'
import { quote, type Refusal } from './refusal.ts'

/** Explains a refusal. @returns undefined if the sentence of the response says as much */
export function explainFailure(refusal: Refusal): string | undefined {
  return explanations[refusal.failure.code]?.(refusal)
}

export const unexpectedError = 'an unexpected exception was thrown, and passed to onError'

const jsonError = /^JSON parse error - /

/** By the code of the failure. */
const explanations: Readonly<Record<string, (refusal: Refusal) => string | undefined>> = {
  not_acceptable: (refusal) =>
    `the Accept header ${quote(refusal.header('accept'))} does not allow application/json`,
  not_authenticated: explainMissingKey,
  authentication_failed: explainWrongKey,
  permission_denied: explainPermission,
  throttled({ record: { response }, key, keyName }) {
    const [time] = /\d+ seconds?/.exec(bodyText(response.body)) ?? []
    const hint = time === undefined ? '' : `; its next request is allowed in ${time}`
    return `${keyName(key?.value ?? '')} has sent too many requests${hint}`
  },
  method_not_allowed: ({ record, route, pathMethods }) =>
    route.endpoint.id === 'deleteAnnotation'
      ? 'annotations cannot be deleted; send PATCH with {"deleted": true}'
      : `this path has no ${record.method}, only ${pathMethods}`,
  not_found: explainNotFound,
  parse_error: ({ failure: { detail } }) =>
    jsonError.test(detail) ? detail.replace(jsonError, 'the body is not valid JSON: ') : undefined,
  unsupported_media_type(refusal) {
    const type = refusal.header('content-type')
    const accepted = acceptedMediaTypes(refusal.record.settings).join(', ')
    const sent = type === '' ? 'has no Content-Type' : `has the Content-Type ${quote(type)}`
    return `the body ${sent}; accepted: ${accepted}`
  },
  request_too_large({ record, route }) {
    const limit = route.endpoint.bodyLimit ?? record.settings['limits.body']
    return `the body has more than ${limit.toLocaleString('en')} bytes`
  },
  null: explainBody,
  invalid_input: explainBody,
  invalid_choice: explainChoice,
  error: ({ route, body, record: { settings } }) =>
    route.endpoint.id === 'createPlugin' &&
    settings['plugins.create.install'] === 'from_url' &&
    !Object(body).url
      ? 'the body has no url, without which the live service crashes'
      : unexpectedError,
}

/** Explains a body that is not an object. */
function explainBody({ failure: { detail }, body }: Refusal): string | undefined {
  if (!/^(?:Invalid|No) data/.test(detail)) return undefined
  const type = body === null ? 'null' : Array.isArray(body) ? 'a list' : `a ${typeof body}`
  return `the body is ${type}, not an object`
}

function explainChoice({ failure: { attr }, record, route, body }: Refusal): string | undefined {
  const { settings } = record
  const schema = resolveByPolicy(route.endpoint.body ?? null, settings)
  const field = schema?.fields[attr ?? '']
  const allowed = field && resolveByPolicy(field, settings).schema(settings)?.enum
  if (!Array.isArray(allowed)) return undefined
  const value = String(Object(body)[attr ?? ''])
  const meant = didYouMean(value, allowed)
  const hint = meant === undefined ? '' : `, did you mean ${meant}?`
  return `body.${attr}: ${quote(value)} is not one of ${allowed.map((each) => each || '""').join(', ')}${hint}`
}

/** Which plugin an operation needs that answers with the first one of a kind. */
const missingPlugins: Readonly<Record<string, string>> = {
  listExportsUnsubscribeConfigs: 'exports data',
  listPluginRepository: 'is in the repository',
  listUnusedPlugins: 'no project uses',
}

function explainNotFound(refusal: Refusal): string | undefined {
  const { record, route, past, query } = refusal
  const { settings } = record
  const { format = query.getAll('format').at(-1), project_id, organization_id, id } = route.params
  if (format && format !== 'json' && settings['paths.format'] === 'on') {
    return `the format ${quote(format)} is not supported, only json`
  }
  const context = refusal.findContext()
  if (!context) {
    return project_id === undefined
      ? explainParent('organization', organization_id ?? '', settings['paths.current'])
      : explainParent('project', project_id, settings['paths.current'])
  }
  if (id === undefined) {
    return `the organization has no plugin that ${missingPlugins[refusal.route.endpoint.id]}`
  }
  const kind = project_id === undefined ? 'plugin' : 'annotation'
  const rowId = parseInteger(id)
  if (rowId === undefined) {
    return `${quote(id)} is not the id of ${kind === 'plugin' ? 'a plugin' : 'an annotation'}`
  }
  const everywhere = { 'annotations.search.reach': 'list' }
  if (past.answer(everywhere).status !== 404)
    return `${kind} ${rowId} does not match the parameter search`
  return explainMissingRow(kind, rowId, context, refusal)
}

function explainParent(kind: 'project' | 'organization', id: string, current: string): string {
  if (id === '@current') {
    return current === 'off' ? '`@current` is not accepted' : `the user of the key has no ${kind}`
  }
  const isId = (kind === 'project' ? parseInteger(id) : parseUuid(id)) !== undefined
  if (isId) return `no ${kind} ${id}`
  const article =
    kind === 'project' ? 'a project, which is a number' : 'an organization, which is a UUID'
  return `${quote(id)} is not the id of ${article}`
}

function explainMissingRow(
  kind: 'plugin' | 'annotation',
  id: number,
  { project, organization }: ProjectContext,
  refusal: Refusal,
): string {
  const list = `${kind}s` as const
  const row = refusal.tables[list].get(id)
  const place = project ? `project ${project.id}` : `organization ${organization?.name}`
  if (!row) {
    return refusal.wasRemoved(list, id)
      ? `${kind} ${id} was deleted`
      : `no ${kind} ${id} in ${place}`
  }
  if ('deleted' in row) {
    const isVisible =
      row.project === project?.id ||
      (row.scope === 'organization' && row.organization === organization?.id)
    return isVisible
      ? `annotation ${id} is deleted`
      : `no annotation ${id} in ${place} (it belongs to project ${row.project})`
  }
  const owner = refusal.tables.organizations.get(row.organization)?.name
  return `no plugin ${id} in ${place} (it belongs to organization ${owner})`
}
