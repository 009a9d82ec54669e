import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import type { RequestOptions } from '../../support/lanes/client.ts'

/** A request, and the sentence about its response. */
export interface Explained {
  readonly title: string
  readonly request: readonly [method: string, path: string, options?: RequestOptions]
  readonly policies?: PolicyOverrides
  /** Changes the world before the request. */
  readonly before?: (simulator: Simulator) => void
  /** In both profiles, or in each of them. Null for an unremarkable success. */
  readonly reason: string | null | readonly [documented: string | null, live: string | null]
}

const annotations = annotationsPath
const plugins = `/api/organizations/${acme}/plugins/`
const foreign = '/api/projects/3/annotations/'
const authorization = (value: string): RequestOptions => ({
  key: null,
  headers: { authorization: value },
})
const typed = (type: string, raw: string): RequestOptions => ({
  raw,
  headers: { 'content-type': type },
})
const form = (raw: string) => typed('application/x-www-form-urlencoded', raw)
const level =
  (plugins_access_level: number) =>
  ({ world }: Simulator) =>
    world.organizations.update(acme, { plugins_access_level })
const enforced = { 'plugins.access_level': 'enforced' } as const
const lowLevel = (status: number, value: number) =>
  `${status}: the plugins_access_level of the organization is ${value}; reading requires 3, writing 6, is_global 9`
const unscoped =
  '403: only keys without a list of scopes are accepted, and the key `all` has all scopes'

const accept: readonly Explained[] = [
  {
    title: 'HTML is asked for',
    request: ['GET', annotations, { headers: { accept: 'text/html' } }],
    reason: '406: the Accept header `text/html` does not allow application/json',
  },
  {
    title: 'an unknown format',
    request: ['GET', `${annotations}?format=xml`],
    reason: [null, '404: the format `xml` is not supported, only json'],
  },
  {
    title: 'an unknown suffix',
    request: ['GET', '/api/projects/1/annotations.xml'],
    reason: [
      '404: the suffix .xml is not accepted',
      '404: the format `xml` is not supported, only json',
    ],
  },
  {
    title: 'the suffix .json',
    request: ['GET', '/api/projects/1/annotations.json'],
    reason: ['404: the suffix .json is not accepted', null],
  },
]

const keys: readonly Explained[] = [
  {
    title: 'no key',
    request: ['GET', annotations, { key: null }],
    reason: '401: the request has no Authorization header',
  },
  {
    title: 'Bearer forgotten',
    request: ['GET', annotations, authorization('phx_all')],
    reason: '401: the header has no `Bearer ` before the key `all`',
  },
  {
    title: 'Bearer forgotten, with an unknown key',
    request: ['GET', annotations, authorization('phx_unknown')],
    reason: '401: the header has no `Bearer `',
  },
  {
    title: 'Bearer in lower case',
    request: ['GET', annotations, authorization('bearer phx_all')],
    reason: '401: the Authorization header has `bearer` instead of `Bearer`',
  },
  {
    title: 'Basic authentication',
    request: ['GET', annotations, authorization('Basic cGh4X2FsbDo=')],
    reason: '401: the Authorization header has `Basic` instead of `Bearer`',
  },
  {
    title: 'Bearer with a colon',
    request: ['GET', annotations, authorization('Bearer: phx_all')],
    reason: '401: the Authorization header has `Bearer:` instead of `Bearer`',
  },
  {
    title: 'an empty key',
    request: ['GET', annotations, authorization('Bearer ')],
    reason: '401: the Authorization header has no key after `Bearer`',
  },
  {
    title: 'a key of one character',
    request: ['GET', annotations, authorization('Bearer x')],
    reason: '401: the key in the Authorization header is too short',
  },
  {
    title: 'a key in another header',
    request: ['GET', annotations, { key: null, headers: { 'x-api-key': 'phx_all' } }],
    reason:
      '401: the request has no Authorization header, and the key in the header x-api-key is not read',
  },
  {
    title: 'a key in the query',
    request: ['GET', `${annotations}?personal_api_key=phx_all`, { key: null }],
    reason: [
      '401: the request has no Authorization header, and the key in the query is not read',
      null,
    ],
  },
  {
    title: 'a key in the body',
    request: ['POST', annotations, { key: null, body: { personal_api_key: 'phx_all' } }],
    reason: [
      '401: the request has no Authorization header, and the key in the body is not read',
      null,
    ],
  },
  {
    title: 'an unknown key',
    request: ['GET', annotations, { key: 'phx_annotatoins' }],
    reason: '401: no key matches phx_a…',
  },
  {
    title: 'a short unknown key',
    request: ['GET', annotations, { key: 'abcd' }],
    reason: '401: no key matches ab…',
  },
  {
    title: 'an unknown key in the query',
    request: ['GET', `${annotations}?personal_api_key=phx_unknown`, { key: null }],
    reason: [
      '401: the request has no Authorization header, and the key in the query is not read',
      '401: no key matches phx_u… (in the query string)',
    ],
  },
  {
    title: 'a variable without a value',
    request: ['GET', annotations, { key: 'undefined' }],
    reason: '401: the key is the word `undefined`',
  },
  {
    title: 'a key with a quotation mark in it',
    request: ['GET', annotations, authorization('Bearer phx_"all')],
    reason: '401: no key matches phx_…',
  },
  {
    title: 'Bearer twice',
    request: ['GET', annotations, { key: 'Bearer phx_all' }],
    reason: '401: there is text around the key `all`',
  },
  {
    title: 'a key in quotes',
    request: ['GET', annotations, { key: '"phx_all"' }],
    reason: '401: there is text around the key `all`',
  },
  {
    title: 'a revoked key',
    before: ({ keys }) => keys.revoke('phx_annotations'),
    request: ['GET', annotations, { key: 'phx_annotations' }],
    reason: '401: the key `annotations` was revoked',
  },
  {
    title: 'the key of an inactive user',
    before: ({ world }) => world.users.update(1, { is_active: false }),
    request: ['GET', annotations],
    reason: '401: the user of the key `all` is inactive',
  },
  {
    title: 'the key of a sandbox, at the URL of another one',
    before: ({ sandboxes }) => {
      sandboxes.create()
      sandboxes.create({ keys: { all: 'phx_worker_2' } })
    },
    request: ['GET', `/__sandbox/sandbox-1${annotations}`, { key: 'phx_worker_2' }],
    reason: '401: no key matches phx_w…; another sandbox has it',
  },
  {
    title: 'an unknown project token',
    request: ['GET', `${annotations}?token=phc_unknown`],
    reason: [null, '401: no project has the token that the request contains'],
  },
  {
    title: 'a 401 that a policy turns into a 403',
    policies: { 'keys.missing.status': 403, 'errors.body': 'empty' },
    request: ['GET', annotations, { key: null }],
    reason: '403: the request has no Authorization header',
  },
]

const permissions: readonly Explained[] = [
  {
    title: 'a missing scope',
    request: ['GET', plugins, { key: 'phx_annotations' }],
    reason:
      '403: the key `annotations` lacks the scope plugin:read (it has annotation:read, annotation:write)',
  },
  {
    title: 'no scopes',
    request: ['GET', annotations, { key: 'phx_none' }],
    reason: ['403: the key `none` lacks the scope annotation:read (it has no scopes)', null],
  },
  {
    title: 'a key without a label',
    before: ({ keys }) => void keys.issue({ value: 'phx_unlabeled', scopes: ['project:read'] }),
    request: ['GET', annotations, { key: 'phx_unlabeled' }],
    reason: '403: the key lacks the scope annotation:read (it has project:read)',
  },
  {
    title: 'a missing scope that a policy hides',
    policies: { 'keys.insufficient.status': 404 },
    request: ['GET', plugins, { key: 'phx_annotations' }],
    reason:
      '404: the key `annotations` lacks the scope plugin:read (it has annotation:read, annotation:write)',
  },
  {
    title: 'an operation that refuses scopes',
    request: ['GET', `${plugins}unused/`],
    reason: [null, unscoped],
  },
  {
    title: 'a key of another project',
    request: ['GET', '/api/projects/2/annotations/', { key: 'phx_project_1' }],
    reason: '403: the key `project_1` is limited to project 1',
  },
  {
    title: 'a key of a project, on a path without one',
    request: ['GET', '/api/projects/', { key: 'phx_project_1' }],
    reason: '403: the key `project_1` is limited to project 1, and this path has no project',
  },
  {
    title: 'a key of another organization',
    before: ({ keys }) =>
      void keys.issue({ value: 'phx_initech', label: 'i', user: 2, organizations: [initech] }),
    request: ['GET', plugins, { key: 'phx_initech' }],
    reason: '403: the key `i` is limited to organization Initech',
  },
  {
    title: 'a project of another organization',
    request: ['GET', foreign],
    reason: '403: the user of the key `all` is not a member of the organization of project 3',
  },
  {
    title: 'another organization',
    request: ['GET', `/api/organizations/${initech}/plugins/`],
    reason: '403: the user of the key `all` is not a member of the organization',
  },
  {
    title: 'a low access level',
    policies: enforced,
    before: level(0),
    request: ['GET', plugins],
    reason: lowLevel(403, 0),
  },
  {
    title: 'an access level too low to write',
    policies: enforced,
    before: level(3),
    request: ['DELETE', `${plugins}21/`],
    reason: lowLevel(403, 3),
  },
  {
    title: 'an access level too low for is_global',
    policies: enforced,
    before: level(6),
    request: ['PATCH', `${plugins}21/`, { body: { is_global: true } }],
    reason: lowLevel(403, 6),
  },
  {
    title: 'an access level too low for the source',
    policies: { ...enforced, 'plugins.source.scope': 'any_key' },
    before: level(3),
    request: ['GET', `${plugins}23/source/`],
    reason: [null, lowLevel(403, 3)],
  },
  {
    title: 'an access level too low for updates',
    policies: { ...enforced, 'plugins.check_for_updates.scope': 'any_key' },
    before: level(3),
    request: ['GET', `${plugins}21/check_for_updates/`],
    reason: lowLevel(403, 3),
  },
  {
    title: 'a global plugin of another organization',
    policies: { 'plugins.global.visibility': 'every_organization' },
    before: ({ world }) =>
      void world.plugins.create({ id: 77, organization: initech, is_global: true }),
    request: ['PATCH', `${plugins}77/`, { body: { name: 'x' } }],
    reason: '403: plugin 77 belongs to another organization',
  },
  {
    title: 'DELETE, as a 403',
    policies: { 'annotations.delete.status': 403 },
    request: ['DELETE', `${annotations}1/`],
    reason: '403: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
]

const methods: readonly Explained[] = [
  {
    title: 'DELETE of an annotation',
    request: ['DELETE', `${annotations}1/`],
    reason: '405: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
  {
    title: 'DELETE, as a 404',
    policies: { 'annotations.delete.status': 404 },
    request: ['DELETE', `${annotations}1/`],
    reason: '404: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
  {
    title: 'PUT',
    request: ['PUT', `${annotations}1/`, { body: { content: 'x' } }],
    reason: ['405: this path has no PUT, only GET, PATCH', null],
  },
  {
    title: 'PATCH of a list',
    request: ['PATCH', annotations, { body: {} }],
    reason: '405: this path has no PATCH, only GET, POST',
  },
  {
    title: 'POST to a row',
    request: ['POST', `${annotations}1/`, { body: {} }],
    reason: [
      '405: this path has no POST, only GET, PATCH',
      '403: this path has no POST, only GET, PUT, PATCH (a key with scopes gets no 405)',
    ],
  },
  {
    title: 'POST to a row, with a key without scopes',
    request: ['POST', `${plugins}21/`, { key: 'phx_old', body: {} }],
    reason: [
      '405: this path has no POST, only GET, PATCH, DELETE',
      '405: this path has no POST, only GET, PUT, PATCH, DELETE',
    ],
  },
]

const rows: readonly Explained[] = [
  {
    title: 'a deleted annotation',
    request: ['GET', `${annotations}6/`],
    reason: '404: annotation 6 is deleted',
  },
  {
    title: 'an annotation of another project',
    request: ['GET', `${annotations}7/`],
    reason: '404: no annotation 7 in project 1 (it belongs to project 2)',
  },
  {
    title: 'an unknown annotation',
    request: ['PATCH', `${annotations}99/`, { body: {} }],
    reason: '404: no annotation 99 in project 1',
  },
  {
    title: 'an annotation that was removed from the world',
    before: ({ world }) => world.annotations.delete(2),
    request: ['GET', `${annotations}2/`],
    reason: '404: annotation 2 was deleted',
  },
  {
    title: 'an id that is no number',
    request: ['GET', `${annotations}latest/`],
    reason: '404: `latest` is not the id of an annotation',
  },
  {
    title: 'a search that does not match',
    request: ['GET', `${annotations}1/?search=zzz`],
    reason: [null, '404: annotation 1 does not match the parameter search'],
  },
  {
    title: 'an unknown project',
    request: ['GET', '/api/projects/99/annotations/'],
    reason: '404: no project 99',
  },
  {
    title: 'the name of a project',
    request: ['GET', '/api/projects/web-shop/annotations/'],
    reason: '404: `web-shop` is not the id of a project, which is a number',
  },
  {
    title: 'the name of a project, with the usual message',
    policies: { 'projects.id.not_a_number': 'not_found' },
    request: ['GET', '/api/projects/web-shop/annotations/'],
    reason: '404: `web-shop` is not the id of a project, which is a number',
  },
  {
    title: '@current, turned off',
    policies: { 'paths.current': 'off' },
    request: ['GET', '/api/projects/@current/annotations/'],
    reason: '404: `@current` is not accepted',
  },
  {
    title: '@current of a user without an organization',
    before: ({ world }) => world.users.update(1, { organizations: [] }),
    request: ['GET', '/api/organizations/@current/plugins/'],
    reason: '404: the user of the key has no organization',
  },
  {
    title: 'an unknown organization',
    request: ['GET', '/api/organizations/018f2b6e-0000-7000-8000-0000000000ff/plugins/'],
    reason: '404: no organization 018f2b6e-0000-7000-8000-0000000000ff',
  },
  {
    title: 'the name of an organization',
    request: ['GET', '/api/organizations/acme/plugins/'],
    reason: '404: `acme` is not the id of an organization, which is a UUID',
  },
  {
    title: 'an unknown plugin',
    request: ['GET', `${plugins}99/`],
    reason: '404: no plugin 99 in organization Acme',
  },
  {
    title: 'a plugin of another organization',
    before: ({ world }) => void world.plugins.create({ id: 77, organization: initech }),
    request: ['GET', `${plugins}77/`],
    reason: '404: no plugin 77 in organization Acme (it belongs to organization Initech)',
  },
  ...(
    [
      ['repository', 'is in the repository'],
      ['unused', 'no project uses'],
      ['exports_unsubscribe_configs', 'exports data'],
    ] as const
  ).map(([name, reason]) => ({
    title: `no plugin for ${name}`,
    policies: {
      'plugins.extras.none': 'not_found',
      [`plugins.${name}.body`]: 'plugin',
      [`plugins.${name}.scope`]: 'any_key',
    } as PolicyOverrides,
    request: [
      'GET',
      `/api/organizations/${initech}/plugins/${name}/`,
      { key: 'phx_noor' },
    ] as const,
    reason: `404: the organization has no plugin that ${reason}`,
  })),
  {
    title: 'a misspelt path',
    request: ['GET', '/api/projects/1/anotations/'],
    reason:
      '404: no operation has the path `/api/projects/1/anotations/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got anotations)',
  },
  {
    title: 'a path that resembles no operation',
    request: ['GET', '/api/x/'],
    reason: '404: no operation has the path `/api/x/`',
  },
  {
    title: 'a dot within a path',
    request: ['GET', '/api/x.y/z/'],
    reason: '404: no operation has the path `/api/x.y/z/`',
  },
  {
    title: 'a write to a default neighbour',
    request: ['POST', '/api/users/@me/', { body: {} }],
    reason: '404: no operation has the path `/api/users/@me/`',
  },
  ...['/api/users/@me/', '/api/organizations/@current/'].map((path) => ({
    title: `the default neighbour ${path}`,
    request: ['GET', path] as const,
    reason: `404: no operation has the path \`${path}\`, but --neighbours default responds to it`,
  })),
]

const bodies: readonly Explained[] = [
  {
    title: 'malformed JSON',
    request: ['POST', annotations, typed('application/json', '{"content": }')],
    reason: '400: the body is not valid JSON: Expecting value: line 1 column 13 (char 12)',
  },
  {
    title: 'another content type',
    request: ['PATCH', `${annotations}1/`, typed('text/xml', '<a/>')],
    reason: [
      '415: the body has the Content-Type `text/xml`; accepted: application/json',
      '415: the body has the Content-Type `text/xml`; accepted: application/json, application/x-www-form-urlencoded, multipart/form-data',
    ],
  },
  {
    title: 'a body without a content type',
    request: ['POST', annotations, { raw: new TextEncoder().encode('{}') }],
    reason: [
      '415: the body has no Content-Type; accepted: application/json',
      '415: the body has no Content-Type; accepted: application/json, application/x-www-form-urlencoded, multipart/form-data',
    ],
  },
  {
    title: 'a form',
    request: ['POST', annotations, form('content=x')],
    reason: [
      '415: the body has the Content-Type `application/x-www-form-urlencoded`; accepted: application/json',
      null,
    ],
  },
  {
    title: 'a form without a boundary',
    request: ['POST', annotations, typed('multipart/form-data', 'content=x')],
    reason: [
      '415: the body has the Content-Type `multipart/form-data`; accepted: application/json',
      '400: Multipart form parse error - Invalid boundary in multipart: None',
    ],
  },
  {
    title: 'a large body',
    policies: { 'limits.body': 2_000 },
    request: ['POST', annotations, { body: { content: 'x'.repeat(2_000) } }],
    reason: '413: the body has more than 2,000 bytes; send at most that many',
  },
  {
    title: 'null',
    request: ['POST', annotations, typed('application/json', 'null')],
    reason: '400: the body is null, not an object',
  },
  {
    title: 'a list',
    request: ['POST', annotations, { body: [{ content: 'x' }] }],
    reason: '400: the body is a list, not an object',
  },
  {
    title: 'a choice',
    request: ['POST', annotations, { body: { scope: 'projet' } }],
    reason: [
      '400: body.scope: `projet` is not one of dashboard_item, project, organization, did you mean project?',
      '400: body.scope: `projet` is not one of dashboard_item, project, organization, did you mean project?',
    ],
  },
  {
    title: 'a choice that may be empty',
    request: ['POST', '/api/organizations/@current/plugins/', { body: { plugin_type: 'zzz' } }],
    reason: '400: body.plugin_type: `zzz` is not one of local, custom, repository, source, ""',
  },
  {
    title: 'a choice without a similar one',
    request: ['POST', annotations, { body: { creation_type: true } }],
    reason: '400: body.creation_type: `true` is not one of USR, GIT',
  },
  {
    title: 'another type',
    request: ['PATCH', `${annotations}1/`, { body: { deleted: 'maybe' } }],
    reason: '400: body.deleted: Must be a valid boolean',
  },
  {
    title: 'a missing row',
    request: ['POST', annotations, { body: { dashboard_item: 99 } }],
    reason: '400: body.dashboard_item: Invalid pk "99" - object does not exist',
  },
  {
    title: 'a required field',
    policies: { 'plugins.create.required': 'name' },
    request: ['POST', plugins, { body: { nmae: 'x' } }],
    reason: '400: body.name: This field is required',
  },
  {
    title: 'an invalid limit',
    policies: { 'lists.limit.invalid': 'refused' },
    request: ['GET', `${annotations}?limit=many`],
    reason: '400: ?limit: A valid integer is required',
  },
  {
    title: 'a global plugin',
    policies: { 'plugins.delete.global': 'refused' },
    before: ({ world }) => world.plugins.update(21, { is_global: true }),
    request: ['DELETE', `${plugins}21/`],
    reason: '400: a global plugin cannot be deleted; send PATCH with {"is_global": false} first',
  },
  {
    title: 'a plugin that is installed already',
    request: ['POST', plugins, { body: { url: 'https://github.com/acme/bucket-export' } }],
    reason: [
      null,
      '400: Plugin from URL "https://github.com/acme/bucket-export" already installed!',
    ],
  },
]

const others: readonly Explained[] = [
  {
    title: 'a plugin without a url',
    request: ['POST', plugins, { body: { name: 'x' } }],
    reason: [null, '500: the body has no url, without which the live service crashes'],
  },
  {
    title: 'a fault',
    before: ({ faults }) => void faults.add({ effect: { error: 'throttled', retry_after_s: 3 } }),
    request: ['GET', annotations],
    reason: '429: the fault `fault-1` was applied: the response is a 429 (throttled)',
  },
  {
    title: 'an HTML page of a fault',
    before: ({ faults }) => void faults.add({ preset: 'outage' }),
    request: ['GET', annotations],
    reason: '503: the fault `fault-1` was applied: the response is a 503',
  },
  {
    title: 'a delayed refusal',
    before: ({ faults }) => void faults.add({ effect: { delay_ms: 1 } }),
    request: ['GET', annotations, { key: null }],
    reason:
      '401: the request has no Authorization header; the fault `fault-1` was applied: the response is delayed by 1 ms',
  },
  {
    title: 'a fault after the write',
    before: ({ faults }) =>
      void faults.add({ phase: 'after-commit', effect: { status: 504, body: 'late' } }),
    request: ['POST', annotations, { body: {} }],
    reason:
      '504: the fault `fault-1` was applied: the response is a 504, but the server handled the request',
  },
  { title: 'a success', request: ['GET', annotations], reason: null },
  {
    title: 'a HEAD',
    request: ['HEAD', `${annotations}99/`],
    reason: '404: no annotation 99 in project 1',
  },
  { title: 'OPTIONS', request: ['OPTIONS', annotations], reason: null },
]

export const explained: readonly Explained[] = [
  ...accept,
  ...keys,
  ...permissions,
  ...methods,
  ...rows,
  ...bodies,
  ...others,
]
