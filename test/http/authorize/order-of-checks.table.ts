import {
  forbidden,
  invalidKey,
  notAcceptable,
  notAllowed,
  notFound,
  malformed as syntaxError,
  throttled,
  wrongMediaType,
} from '../../support/api/errors.ts'
import { initech, annotationsPath as list } from '../../support/api/paths.ts'
import type { Reply, RequestOptions } from '../../support/transports/client.ts'

const nowhere = '/api/projects/999/annotations/'
const foreign = '/api/projects/3/annotations/'
const json = { 'content-type': 'application/json' }
const malformed = { raw: '{', headers: json }
const untyped = { raw: '{"deleted": "maybe"}', headers: { 'content-type': 'text/plain' } }

const noKey = invalidKey()
const noRead = forbidden("API key missing required scope 'annotation:read'")
const noWrite = forbidden("API key missing required scope 'annotation:write'")
const notProject = (id: number) =>
  forbidden(`API key does not have access to the requested project: ID ${id}.`)
const notInitech = forbidden(
  `API key does not have access to the requested organization: ID ${initech}.`,
)
const unknown = '/api/organizations/018f2b6e-0000-7000-8000-0000000000ff/plugins/'
const noOrganization = notFound('Organization not found.')
const badJson = syntaxError(
  'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
)
const noMember = forbidden("You don't have access to the project.")
const noProject = notFound('Project not found.')
const tooMany = throttled('60 seconds')
const noType = wrongMediaType('text/plain')

type Row = readonly [
  title: string,
  method: string,
  path: string,
  options: RequestOptions,
  expected: Reply,
]

const unsure = { body: { deleted: 'maybe' } }
const reader = 'phx_annotation_read'
const html = { headers: { accept: 'text/html' } }

/** Requests that fail two checks, and the response of the earlier check. */
export const rows: readonly Row[] = [
  ['Accept before key', 'GET', list, { key: null, ...html }, notAcceptable()],
  ['key before scope', 'GET', list, { key: 'inactive' }, noKey],
  ['key before body', 'POST', list, { key: 'phx_nobody', ...malformed }, noKey],
  ['scope before body', 'POST', list, { key: reader, ...malformed }, noWrite],
  ['limits before scope', 'GET', list, { key: 'narrow' }, notProject(1)],
  ['body before limits', 'POST', list, { key: 'project 2', ...malformed }, badJson],
  ['project before limits and scope', 'GET', nowhere, { key: 'narrow' }, noProject],
  ['scope before project', 'GET', nowhere, { key: 'phx_plugins' }, noRead],
  ['scope before membership', 'GET', foreign, { key: 'phx_plugins' }, noRead],
  ['scope before row', 'PATCH', `${list}999/`, { key: reader, body: {} }, noWrite],
  ['project before limits', 'GET', nowhere, { key: 'project 2' }, noProject],
  ['limits before membership', 'GET', foreign, { key: 'project 2' }, notProject(3)],
  ['organizations before membership', 'GET', foreign, { key: 'acme' }, notInitech],
  ['organization before limits', 'GET', unknown, { key: 'acme' }, noOrganization],
  ['project before rate', 'GET', nowhere, { key: 'spent' }, noProject],
  ['project before method', 'POST', `${nowhere}1/`, { key: 'phx_old' }, noProject],
  ['project before row', 'GET', `${nowhere}999/`, {}, noProject],
  ['syntax of the body before project', 'POST', nowhere, malformed, badJson],
  ['type of the body before project', 'POST', nowhere, untyped, noType],
  ['membership before rate', 'GET', foreign, { key: 'spent' }, noMember],
  ['membership before method', 'POST', `${foreign}1/`, { key: 'phx_old' }, noMember],
  ['membership before row', 'GET', `${foreign}999/`, {}, noMember],
  ['syntax of the body before membership', 'POST', foreign, malformed, badJson],
  ['membership before fields', 'POST', foreign, unsure, noMember],
  ['rate before method', 'POST', `${list}1/`, { key: 'spent', body: {} }, tooMany],
  ['rate before row', 'GET', `${list}999/`, { key: 'spent' }, tooMany],
  ['syntax of the body before rate', 'POST', list, { key: 'spent', ...malformed }, badJson],
  ['rate before fields', 'POST', list, { key: 'spent', ...unsure }, tooMany],
  ['method before row', 'POST', `${list}999/`, { key: 'phx_old', body: {} }, notAllowed('POST')],
  [
    'method before an invalid id',
    'POST',
    `${list}abc/`,
    { key: 'phx_old', body: {} },
    notAllowed('POST'),
  ],
  ['syntax before method', 'POST', `${list}1/`, { key: 'phx_old', ...malformed }, badJson],
  ['syntax of the body before row', 'PATCH', `${list}999/`, malformed, badJson],
  ['type of the body before row', 'PATCH', `${list}999/`, untyped, noType],
  ['row before fields', 'PATCH', `${list}999/`, unsure, notFound()],
  ['type before syntax', 'POST', list, { ...malformed, headers: untyped.headers }, noType],
  ['type before fields', 'POST', list, untyped, noType],
]
