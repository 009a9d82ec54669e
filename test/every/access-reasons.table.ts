import {
  acme,
  annotationsPath as annotations,
  initech,
  pluginsPath as plugins,
} from '../support/api/paths.ts'
import type { RequestOptions } from '../support/transports/client.ts'
import type { Explained } from './reasons.table.ts'

type Reason = Explained['reason']

export const typed = (type: string, raw: string): RequestOptions => ({
  raw,
  headers: { 'content-type': type },
})
export const form = (raw: string) => typed('application/x-www-form-urlencoded', raw)
/** A request without anything odd but its path. */
export const get = (path: string, reason: Reason): Explained => ({ request: ['GET', path], reason })
/** A list that is asked for with a key. */
const asked = (key: string | null, reason: string): Explained => {
  return { request: ['GET', annotations, { key }], reason }
}
const placeholder = (key: string, shown: string) =>
  asked(key, `401: the key is a placeholder (${shown}) that was not filled in`)
/** A list that is asked for with another header. */
const authorized = (authorization: string, reason: string): Explained => {
  return { request: ['GET', annotations, { key: null, headers: { authorization } }], reason }
}
/** A request to plugins of an organization whose access level is too low for it. */
const atLevel = (level: number, request: Explained['request'], requires: string): Explained => ({
  settings: { 'plugins.access_level': 'enforced', 'plugins.other.scope': 'any_key' },
  before: ({ world }) => world.organizations.update(acme, { plugins_access_level: level }),
  request,
  reason: `403: the plugins_access_level of the organization is ${level}, and ${requires}`,
})
const unscoped = '403: only keys that need no scopes are accepted, and the key `all` has all scopes'

const accept: Readonly<Record<string, Explained>> = {
  'HTML is asked for': {
    request: ['GET', annotations, { headers: { accept: 'text/html' } }],
    reason: '406: the Accept header `text/html` does not allow application/json',
  },
  'an unknown format': get(
    `${annotations}?format=xml`,
    '404: the format `xml` is not supported, only json',
  ),
  'an unknown suffix': get(
    '/api/projects/1/annotations.xml',
    '404: the format `xml` is not supported, only json',
  ),
  'the suffix .json': { request: ['GET', '/api/projects/1/annotations.json'], reason: null },
}

const keys: Readonly<Record<string, Explained>> = {
  'no key': asked(null, '401: the request has no Authorization header'),
  'an empty header': authorized('', '401: the Authorization header is empty'),
  'Bearer in lower case': authorized(
    'bearer phx_all',
    '401: the Authorization header has `bearer` instead of `Bearer`',
  ),
  'Bearer with a colon': authorized(
    'Bearer: phx_all',
    '401: the Authorization header has `Bearer:` instead of `Bearer`',
  ),
  'a key in the query': {
    request: ['GET', `${annotations}?personal_api_key=phx_all`, { key: null }],
    reason: [
      '401: the request has no Authorization header, and the key in the query is not read',
      null,
    ],
  },
  'the name of a key in a text of the body': {
    request: ['POST', annotations, { key: null, body: { content: 'personal_api_key rotated' } }],
    reason: '401: the request has no Authorization header',
  },
  'a key in a form': {
    request: ['POST', annotations, { key: null, ...form('content=A&personal_api_key=phx_all') }],
    reason: [
      '401: the request has no Authorization header, and the key in the body is not read',
      null,
    ],
  },
  'a variable without a value as the key': asked('nil', '401: the key is the word `nil`'),
  'a key in quotes': asked('"phx_all"', '401: there is text around the key `all`'),
  'a key before a comma': asked('phx_all,', '401: there is text around the key `all`'),
  'a key before an encoded line break': asked(
    'phx_all%0A',
    '401: there is text around the key `all`',
  ),
  'a placeholder of Postman': placeholder('{{token}}', '{{…}}'),
  'a variable of a shell': placeholder('$API_KEY', '$…'),
  'a variable of Windows': placeholder('%API_KEY%', '%…%'),
  'a placeholder of a document': placeholder('<API_KEY>', '<…>'),
  'a masked key': asked('***xx', '401: the key is a mask, as a log shows it in place of a key'),
  'a key that a test made up': asked('my-token', '401: no key matches my-t…'),
  'an unknown key': asked('phx_annotatoins', '401: no key matches phx_a…'),
  'the label of a key': asked('all', '401: `all` is the label of a key, not its value'),
  'an unknown key of which the start would be most': asked('hunter', '401: no key matches hun…'),
  'an unknown key in the query': {
    request: ['GET', `${annotations}?personal_api_key=phx_unknown`, { key: null }],
    reason: [
      '401: the request has no Authorization header, and the key in the query is not read',
      '401: no key matches phx_u… (in the query string)',
    ],
  },
  'a revoked key': {
    before: ({ keys }) => keys.revoke('phx_annotations'),
    request: ['GET', annotations, { key: 'phx_annotations' }],
    reason: '401: the key `annotations` was revoked, or removed by a reset or another world',
  },
  'the key of an inactive user': {
    before: ({ world }) => world.users.update(1, { is_active: false }),
    request: ['GET', annotations],
    reason: '401: the user of the key `all` is inactive',
  },
  'the key of a sandbox, at the URL of another one': {
    before: ({ sandboxes }) => {
      sandboxes.create()
      sandboxes.create({ keys: [{ label: 'all', value: 'phx_worker_2' }] })
    },
    request: ['GET', `/__sandbox/sandbox-1${annotations}`, { key: 'phx_worker_2' }],
    reason: '401: no key matches phx_w…; the server or another sandbox has it',
  },
  'the key of a sandbox, in a body': {
    settings: { 'keys.places': 'header_body_query' },
    before: ({ sandboxes }) => {
      sandboxes.create()
      sandboxes.create({ keys: [{ label: 'all', value: 'phx_worker_2' }] })
    },
    request: [
      'POST',
      `/__sandbox/sandbox-1${annotations}`,
      { key: null, body: { personal_api_key: 'phx_worker_2' } },
    ],
    reason:
      '401: no key matches phx_w… (in the body); the server or another sandbox has it, which a key in a body does not select: use its URL',
  },
  'a 401 that a setting turns into a 403': {
    settings: { 'keys.missing.status': 403, 'errors.body': 'empty' },
    request: ['GET', annotations, { key: null }],
    reason: '403: the request has no Authorization header',
  },
}

const permissions: Readonly<Record<string, Explained>> = {
  'a missing scope': {
    request: ['GET', plugins, { key: 'phx_annotations' }],
    reason:
      '403: the key `annotations` lacks the scope plugin:read (it has annotation:read, annotation:write)',
  },
  'no scopes': {
    request: ['GET', annotations, { key: 'phx_none' }],
    reason: [
      '403: the key `none` lacks the scope annotation:read (it has an empty list of scopes)',
      null,
    ],
  },
  'a key without a label': {
    before: ({ keys }) => void keys.issue({ value: 'phx_unlabeled', scopes: ['project:read'] }),
    request: ['GET', annotations, { key: 'phx_unlabeled' }],
    reason: '403: the key lacks the scope annotation:read (it has project:read)',
  },
  'a key that is limited to another project and organization': {
    before: ({ keys }) =>
      void keys.issue({ value: 'phx_limited', projects: [2], organizations: [initech] }),
    request: ['GET', annotations, { key: 'phx_limited' }],
    reason: '403: the key is limited to project 2, organization Initech',
  },
  'a missing scope that a setting hides': {
    settings: { 'keys.insufficient.status': 404 },
    request: ['GET', plugins, { key: 'phx_annotations' }],
    reason:
      '404: the key `annotations` lacks the scope plugin:read (it has annotation:read, annotation:write)',
  },
  'an operation that refuses scopes': {
    request: ['GET', `${plugins}unused/`],
    reason: [null, unscoped],
  },
  'an operation that refuses scopes, and an empty list of them': {
    settings: { 'plugins.other.scope': 'refused', 'keys.empty_scopes': 'nothing' },
    request: ['GET', `${plugins}unused/`, { key: 'phx_none' }],
    reason:
      '403: only keys that need no scopes are accepted, and the key `none` has an empty list of scopes',
  },
  'a project of another organization': get(
    '/api/projects/3/annotations/',
    '403: the user of the key `all` is not a member of the organization of project 3',
  ),
  'another organization': get(
    `/api/organizations/${initech}/plugins/`,
    '403: the user of the key `all` is not a member of the organization',
  ),
  'a low access level': atLevel(0, ['GET', plugins], 'this requires 3'),
  'an access level too low to write': atLevel(3, ['DELETE', `${plugins}21/`], 'this requires 6'),
  'an access level too low for is_global': atLevel(
    6,
    ['PATCH', `${plugins}21/`, { body: { is_global: true } }],
    'is_global requires 9',
  ),
  'an access level too low for the source': {
    ...atLevel(3, ['GET', `${plugins}23/source/`], 'this requires 6'),
    reason: [null, '403: the plugins_access_level of the organization is 3, and this requires 6'],
  },
  'an access level too low for updates': atLevel(
    3,
    ['GET', `${plugins}21/check_for_updates/`],
    'this requires 6',
  ),
  'a global plugin of another organization': {
    settings: { 'plugins.global.visibility': 'every_organization' },
    before: ({ world }) =>
      void world.plugins.add({ id: 77, organization: initech, is_global: true }),
    request: ['PATCH', `${plugins}77/`, { body: { name: 'x' } }],
    reason: '403: plugin 77 belongs to another organization',
  },
  'DELETE, as a 403': {
    settings: { 'annotations.delete.status': 403 },
    request: ['DELETE', `${annotations}1/`],
    reason: '403: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
}

/** What a response says about its Accept header, its key and what its key may do. */
export const accessReasons = { ...accept, ...keys, ...permissions }
