import type { Endpoint } from '../http/endpoint.ts'
import { resolve } from '../policies/by-policy.ts'
import type { Question } from './question.ts'
import { fieldsOf, type ProperRequest, pathOf } from './request.ts'
import type { Stage } from './stage.ts'

/** Whatever may go wrong with a request to an endpoint, each in a request that is otherwise proper. */
export function questionsOf(
  endpoint: Endpoint<never>,
  proper: ProperRequest,
  stage: Stage,
): Question[] {
  const { question } = proper
  return [
    question,
    { ...question, name: 'not_acceptable', headers: { ...question.headers, accept: 'text/html' } },
    ...ofCallers(endpoint, proper, stage),
    ...ofPlaces(endpoint, proper, stage),
    { ...question, name: 'limit_invalid', path: `${question.path}?limit=many` },
    { ...question, name: 'format_unknown', path: `${question.path}?format=xml` },
    ...ofBodies(endpoint, proper, stage),
    ...ofFields(endpoint, proper, stage),
    {
      ...question,
      name: 'throttled',
      given: ({ faults }) => faults.add({ effect: { error: 'throttled', retry_after_s: 12 } }),
    },
    {
      ...question,
      name: 'server_error',
      given: ({ faults }) => faults.add({ effect: { error: 'server_error' } }),
    },
  ]
}

function ofCallers(
  endpoint: Endpoint<never>,
  { question }: ProperRequest,
  { keys, simulator }: Stage,
): Question[] {
  const { authorization: _, ...keyless } = question.headers
  const by = (name: string, key: string): Question => ({
    ...question,
    name,
    headers: { ...question.headers, authorization: `Bearer ${key}` },
  })
  const scope = resolve(endpoint.scope, simulator.policies.settings)
  return [
    { ...question, name: 'no_key', headers: keyless },
    by('unknown_key', 'phx_unknown'),
    by(`without_${scope.replace(':', '_')}`, keys.otherScope),
    by('key_of_other_project', keys.otherProject),
    by('key_of_other_organization', keys.otherOrganization),
    by('not_a_member', keys.stranger),
  ]
}

function ofPlaces(
  { path }: Endpoint<never>,
  { question, named }: ProperRequest,
  { keys, organizations }: Stage,
): Question[] {
  const at = (name: string, other: Partial<typeof named>, key?: string): Question => ({
    ...question,
    name,
    path: pathOf(path, { ...named, ...other }),
    headers: { ...question.headers, ...(key && { authorization: `Bearer ${key}` }) },
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

function ofBodies(
  endpoint: Endpoint<never>,
  { question }: ProperRequest,
  { simulator }: Stage,
): Question[] {
  if (fieldsOf(endpoint, simulator.policies.settings) === null) return []
  const ofType = (name: string, body: string, type = 'application/json'): Question => ({
    ...question,
    name,
    headers: { ...question.headers, 'content-type': type },
    body,
  })
  return [
    ofType('malformed_json', '{"content": }'),
    ofType('no_object', '[]'),
    ofType('null_body', 'null'),
    ofType('unsupported_media_type', 'content', 'text/plain'),
    {
      ...ofType('body_too_large', '{"content": "more than eight bytes"}'),
      given: ({ policies }) => policies.set({ 'limits.body': 8 }),
    },
  ]
}

/** A text that no field takes, and values of every other kind. */
const values: readonly unknown[] = [
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
function ofFields(
  endpoint: Endpoint<never>,
  { question, sample }: ProperRequest,
  { simulator }: Stage,
): Question[] {
  const fields = fieldsOf(endpoint, simulator.policies.settings) ?? []
  return fields.flatMap((field) =>
    values.map((value) => ({
      ...question,
      name: field,
      body: JSON.stringify({ ...sample, [field]: value }),
    })),
  )
}
