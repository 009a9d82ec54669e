import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure, type FailureName, failureFormats } from '../../http/failures.ts'
import { isByPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import { type DocumentLine, documentLines, isDocumentLine } from '../../policies/document.ts'
import {
  describeValue,
  type Evidence,
  type PolicyId,
  type PolicySettings,
  policies,
  policyCitations,
} from '../../policies/policies.ts'
import { annotation } from '../../world/entities/annotation.ts'
import type { Entity } from '../../world/entities/entity.ts'
import type { Field } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { user } from '../../world/entities/user.ts'
import {
  type BehaviourId,
  behaviours,
  type Constant,
  citationOf,
  failureConstants,
  fieldRules,
  undocumentedFields,
} from './constants.ts'
import type { Reason } from './response-reasons.ts'

/** The least certain one first. */
export const evidences: readonly Evidence[] = ['assumed', 'observed', 'documented']

/** Compares for sorting: the least certain one comes first. */
export function byEvidence(one: Pick<Reason, 'evidence'>, other: Pick<Reason, 'evidence'>): number {
  return evidences.indexOf(one.evidence) - evidences.indexOf(other.evidence)
}

/** The reason of a policy with its setting. */
export function policyReason(id: PolicyId, settings: PolicySettings): Reason {
  const setting = settings[id]
  const { meaning, evidence, source } = describeValue(id, setting)
  const sentence = `${policies[id].question} ${meaning}`
  return { id, setting, sentence, evidence, source, documentation: textsOf(policyCitations[id]) }
}

/** The reason of a rule that no policy changes. */
export function constantReason(id: string, constant: Constant): Reason {
  const { lines, ...rest } = constant
  return { id, ...rest, documentation: textsOf(lines) }
}

/** The reason of a rule about what operations do. */
export function behaviourReason(id: BehaviourId): Reason {
  return constantReason(id, behaviours[id])
}

/** The reason that is a line of the documentation itself. */
function lineReason(id: DocumentLine): Reason {
  const text = documentLines[id]
  const source = 'the documentation says so'
  return { id, sentence: text, evidence: 'documented', source, documentation: [text] }
}

function textsOf(lines: readonly DocumentLine[]): string[] {
  return lines.map((line) => documentLines[line])
}

/** Operations that the documentation only mentions, and the rule behind each. */
const mentionedOperations: Readonly<Record<string, BehaviourId>> = { listProjects: 'projects.list' }

/** Finds the rule by which an operation exists. */
export function evidenceOfOperation(
  { id, enabled }: Pick<Endpoint<never>, 'id' | 'enabled'>,
  settings: PolicySettings,
): Reason | undefined {
  if (isByPolicy(enabled)) return policyReason(enabled.policy, settings)
  const rule = mentionedOperations[id]
  return rule === undefined ? findLine(`operation.${id}`) : behaviourReason(rule)
}

/**
 * Finds the rule behind a status of an operation.
 *
 * @param operationId the operation id, also of the internal endpoints for OPTIONS and for unknown methods
 * @returns undefined for a status that the operation never has by itself, such as one of a fault
 * @example evidenceOfStatus('deleteAnnotation', 405, simulator.policies.settings)?.evidence // 'assumed'
 */
export function evidenceOfStatus(
  operationId: string | null,
  status: number,
  settings: PolicySettings,
): Reason | undefined {
  const endpoint = endpoints.find(({ id }) => id === operationId)
  if (endpoint && resolveByPolicy(endpoint.status, settings) === status) {
    if (isByPolicy(endpoint.status))
      return policyReason(endpoint.status.policy as PolicyId, settings)
    return evidenceOfOperation(endpoint, settings)
  }
  if (operationId === null) return policyReason('paths.unknown', settings)
  if (status === 200 && operationId.startsWith('options '))
    return behaviourReason('methods.options')
  const own = endpoint ? resolveByPolicy(endpoint.errors, settings) : []
  const names = [...own, ...(Object.keys(failureFormats) as FailureName[])]
  const name = names.find((each) => failureStatus(each, settings) === status)
  return name && failureReason(name, settings, operationId)
}

function failureStatus(name: FailureName, settings: PolicySettings): number {
  const details = name === 'permission_denied' ? ({ isKeyInsufficient: true } as const) : {}
  return failureResponse(new Failure(name, undefined, details), settings).status
}

/** The rules about other methods of paths that the documentation only mentions, by the operation that refuses them. */
const mentionedPaths: Readonly<Record<string, BehaviourId>> = {
  'anyMethod /api/projects': 'projects.methods',
  'patchList /api/projects': 'projects.methods',
}

/** The reason of a failure: a policy about its status, or a constant. */
export function failureReason(
  name: FailureName,
  settings: PolicySettings,
  operationId: string | null,
): Reason {
  const rule = name === 'method_not_allowed' && mentionedPaths[operationId ?? '']
  if (rule) return behaviourReason(rule)
  if (failureFormats[name].status === 401) return policyReason('keys.missing.status', settings)
  if (name === 'permission_denied') return policyReason('keys.insufficient.status', settings)
  return constantReason(`error.${name}`, failureConstants[name])
}

/** The policies that decide whether a response has a header. */
export const headerPolicies: Readonly<Record<string, PolicyId>> = {
  allow: 'headers.allow',
  location: 'headers.location',
  'www-authenticate': 'keys.www_authenticate',
  'retry-after': 'limits.retry_after',
}

/** The operations whose response is the shape that the policy `plugins.extras.body` selects. */
const extraOperations: ReadonlySet<string | null> = new Set([
  'checkPluginForUpdates',
  'retrievePluginSource',
  'updatePluginSource',
  'listPluginActivity',
  'listExportsUnsubscribeConfigs',
  'listPluginRepository',
  'listUnusedPlugins',
])

/**
 * Finds the rule behind a field of a request body or of a successful response.
 *
 * @param name the name of the field; in an object or a list, its path: `created_by.email` or `results.0.content`
 * @returns undefined for a field that responses never have
 * @example evidenceOfField('retrieveAnnotation', 'response', 'content', simulator.policies.settings)?.sentence
 */
export function evidenceOfField(
  operationId: string | null,
  side: 'response' | 'body',
  name: string,
  settings: PolicySettings,
): Reason | undefined {
  const isOther = extraOperations.has(operationId) && settings['plugins.extras.body'] !== 'plugin'
  const path = name.split('.')
  if (side === 'body') return bodyField(operationId ?? '', path[0] as string, settings)
  if (isOther) return policyReason('plugins.extras.body', settings)
  const isPage = /^list(?:Plugins|Annotations|Projects)$/.test(operationId ?? '')
  if (isPage && (path[0] !== 'results' || path.length < 3)) return findLine(`page.${path[0]}`)
  const [field = '', inner] = isPage ? path.slice(2) : path
  if (operationId === 'listProjects') return undocumented('project')
  if (operationId === null || operationId.includes(' ')) return undocumented('path')
  if (field === 'created_by' && inner !== undefined) return reasonIn('created_by', inner, settings)
  return reasonIn(resourceOf(operationId), field, settings)
}

const entities: Readonly<Record<'annotation' | 'created_by' | 'plugin', Pick<Entity, 'fields'>>> = {
  annotation,
  created_by: user,
  plugin,
}

/** Why responses have a field. @returns undefined for a field that they never have */
function reasonIn(
  line: keyof typeof entities,
  name: string,
  settings: PolicySettings,
): Reason | undefined {
  const field = Object.values<Field>(entities[line].fields).find((each) => each.name === name)
  if (!field || field.isHidden) return undefined
  const id = citationOf(line, field)
  if (id === 'observed') return undocumented(`${line}.${name}`)
  return isDocumentLine(id) ? lineReason(id) : policyReason(id, settings)
}

function bodyField(operationId: string, field: string, settings: PolicySettings): Reason {
  if (field === 'personal_api_key') return policyReason('keys.places', settings)
  if (field === 'token' || field === 'api_key') return policyReason('projects.token', settings)
  if (operationId === 'upgradePlugin') return policyReason('plugins.extras.body', settings)
  if (operationId === 'createPlugin' && field === 'url') {
    return policyReason('plugins.create.install', settings)
  }
  if (operationId === 'updatePluginSource' && settings['plugins.extras.body'] !== 'plugin') {
    return policyReason('plugins.extras.body', settings)
  }
  return reasonIn(resourceOf(operationId), field, settings) ?? behaviourReason('fields.unknown')
}

/** The rule and the default of a field of a request body, or undefined for a field that is not read. */
export function ruleOfField(operationId: string, field: string): Reason | undefined {
  const id = `${resourceOf(operationId)}.${field}`
  const rule = fieldRules[id]
  return rule && constantReason(`rule.${id}`, rule)
}

function undocumented(owner: string): Reason {
  return constantReason(`fields.${owner}`, undocumentedFields[owner] as Constant)
}

function resourceOf(operationId: string): 'annotation' | 'plugin' {
  return operationId.includes('Annotation') ? 'annotation' : 'plugin'
}

function findLine(id: string): Reason | undefined {
  return isDocumentLine(id) ? lineReason(id) : undefined
}
