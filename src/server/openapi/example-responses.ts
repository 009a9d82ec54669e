import type { Endpoint } from '../../http/endpoint.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import {
  bodyFields,
  createSampleRequest,
  type ExampleRequest,
  type ExampleResponse,
  type ExampleWorld,
  fillPath,
  type ResourceJson,
  type SampleRequest,
} from './sample-request.ts'

/** What an endpoint was asked and answered. */
export interface OperationResponses {
  /** The id of the endpoint. */
  readonly operation: string
  readonly sample: ResourceJson | undefined
  /** Each refusal once; what was carried out is the one named `answer`. */
  readonly replies: readonly ExampleResponse[]
  /** Every policy that one of the answers came from. */
  readonly policies: readonly JournalPolicy[]
}

/** Asks an endpoint everything. The stage is as before when it is done. */
export async function collectResponses(
  endpoint: Endpoint<never>,
  stage: ExampleWorld,
): Promise<OperationResponses> {
  const { simulator } = stage
  const policies = new Map<string, JournalPolicy>()
  const stop = simulator.journal.follow((entry) => {
    for (const policy of entry.policies) policies.set(policy.id, policy)
  })
  const proper = await createSampleRequest(endpoint, stage)
  policies.clear()
  const replies: ExampleResponse[] = []
  for (const question of listExampleRequests(endpoint, proper, stage)) {
    const reply = nameByError(await sendRequest(question, stage))
    const isCarriedOut = reply.status < 400 && question.name !== 'answer'
    const isNew = !replies.some((other) => isSameError(other, reply))
    if (!isCarriedOut && isNew) replies.push(reply)
  }
  stop()
  const order = (a: JournalPolicy, b: JournalPolicy) => (a.id < b.id ? -1 : 1)
  return {
    operation: endpoint.id,
    sample: proper.sample,
    replies,
    policies: [...policies.values()].sort(order),
  }
}

/** The same refusal: of a field by the same rule, or word for word. */
function isSameError(one: ExampleResponse, other: ExampleResponse): boolean {
  return one.status === other.status && (one.name === other.name || one.body === other.body)
}

async function sendRequest(
  question: ExampleRequest,
  { simulator }: ExampleWorld,
): Promise<ExampleResponse> {
  const { name, method, path, headers, body, prepare } = question
  const { settings } = simulator.policies
  const before = simulator.snapshot()
  prepare?.(simulator)
  const response = await simulator.fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const reply = {
    name,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
  if (prepare) {
    simulator.faults.clear()
    simulator.policies.set(settings)
  }
  simulator.restore(before)
  return reply
}

/** The refusal of a field is named by what is wrong with it. */
function nameByError(reply: ExampleResponse): ExampleResponse {
  const { attr, code } = parseError(reply.body)
  return attr && code ? { ...reply, name: `${attr}_${code}`.replace(/\W+/g, '_') } : reply
}

function parseError(body: string): { attr?: unknown; code?: unknown } {
  try {
    const read: unknown = JSON.parse(body)
    const error: unknown = Array.isArray(read) ? read[0] : read
    return typeof error === 'object' && error !== null ? error : {}
  } catch {
    return {}
  }
}

/** Whatever may go wrong with a request to an endpoint, each in a request that is otherwise proper. */
function listExampleRequests(
  endpoint: Endpoint<never>,
  proper: SampleRequest,
  stage: ExampleWorld,
): ExampleRequest[] {
  const { request } = proper
  return [
    request,
    { ...request, name: 'not_acceptable', headers: { ...request.headers, accept: 'text/html' } },
    ...requestsByKey(endpoint, proper, stage),
    ...requestsByPath(endpoint, proper, stage),
    { ...request, name: 'limit_invalid', path: `${request.path}?limit=many` },
    { ...request, name: 'format_unknown', path: `${request.path}?format=xml` },
    ...requestsByBody(endpoint, proper, stage),
    ...requestsByField(endpoint, proper, stage),
    {
      ...request,
      name: 'throttled',
      prepare: ({ faults }) => faults.add({ effect: { error: 'throttled', retry_after_s: 12 } }),
    },
    {
      ...request,
      name: 'server_error',
      prepare: ({ faults }) => faults.add({ effect: { error: 'server_error' } }),
    },
  ]
}

function requestsByKey(
  endpoint: Endpoint<never>,
  { request }: SampleRequest,
  { keys, simulator }: ExampleWorld,
): ExampleRequest[] {
  const { authorization: _, ...keyless } = request.headers
  const by = (name: string, key: string): ExampleRequest => ({
    ...request,
    name,
    headers: { ...request.headers, authorization: `Bearer ${key}` },
  })
  const scope = resolveByPolicy(endpoint.scope, simulator.policies.settings)
  return [
    { ...request, name: 'no_key', headers: keyless },
    by('unknown_key', 'phx_unknown'),
    by(`without_${scope.replace(':', '_')}`, keys.otherScope),
    by('key_of_other_project', keys.otherProject),
    by('key_of_other_organization', keys.otherOrganization),
    by('not_a_member', keys.stranger),
  ]
}

function requestsByPath(
  { path }: Endpoint<never>,
  { request, named }: SampleRequest,
  { keys, organizations }: ExampleWorld,
): ExampleRequest[] {
  const at = (name: string, other: Partial<typeof named>, key?: string): ExampleRequest => ({
    ...request,
    name,
    path: fillPath(path, { ...named, ...other }),
    headers: { ...request.headers, ...(key && { authorization: `Bearer ${key}` }) },
  })
  return [
    at('not_found', { id: '999999' }),
    at('project_not_found', { project_id: '999999' }),
    at('project_not_a_number', { project_id: 'mine' }),
    at('organization_not_found', { organization_id: '00000000-0000-0000-0000-000000000000' }),
    at('access_level', { organization_id: organizations.closed }, keys.member),
    at('nothing_there', { organization_id: organizations.empty }, keys.member),
  ]
}

function requestsByBody(
  endpoint: Endpoint<never>,
  { request }: SampleRequest,
  { simulator }: ExampleWorld,
): ExampleRequest[] {
  if (bodyFields(endpoint, simulator.policies.settings) === null) return []
  const ofType = (name: string, body: string, type = 'application/json'): ExampleRequest => ({
    ...request,
    name,
    headers: { ...request.headers, 'content-type': type },
    body,
  })
  return [
    ofType('malformed_json', '{"content": }'),
    ofType('no_object', '[]'),
    ofType('null_body', 'null'),
    ofType('unsupported_media_type', 'content', 'text/plain'),
    {
      ...ofType('body_too_large', '{"content": "more than eight bytes"}'),
      prepare: ({ policies }) => policies.set({ 'limits.body': 8 }),
    },
  ]
}

/** A text that no field takes, and values of every other kind. */
const fieldValues: readonly unknown[] = [
  null,
  true,
  '',
  'nothing of the kind',
  '9999-12-31T23:59:59-14:00',
  'x'.repeat(1_000),
  'NUL: \0',
  'half a pair: \ud800',
  999_999_999,
  [],
  {},
]

/** Each field with each of the values, as the only one that may be at fault. */
function requestsByField(
  endpoint: Endpoint<never>,
  { request, sample }: SampleRequest,
  { simulator }: ExampleWorld,
): ExampleRequest[] {
  const fields = bodyFields(endpoint, simulator.policies.settings) ?? []
  return fields.flatMap((field) =>
    fieldValues.map((value) => ({
      ...request,
      name: field,
      body: JSON.stringify({ ...sample, [field]: value }),
    })),
  )
}
