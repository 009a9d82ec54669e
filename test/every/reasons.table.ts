import { gzipSync } from 'node:zlib'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import {
  acme,
  annotationsPath as annotations,
  initech,
  pluginsPath as plugins,
} from '../support/api/paths.ts'
import type { RequestOptions } from '../support/transports/client.ts'
import { accessReasons, form, get, typed } from './access-reasons.table.ts'

/** A request, and the sentence about its response. */
export interface Explained {
  readonly request: readonly [method: string, path: string, options?: RequestOptions]
  readonly settings?: SettingOverrides
  /** Changes the world before the request. */
  readonly before?: (simulator: Simulator) => void
  /** In both profiles, or in each of them. Null for an unremarkable success. */
  readonly reason: string | null | readonly [documented: string | null, live: string | null]
}

/** A DELETE of an annotation that a PATCH could not delete. */
const undeletable = (id: string, why: string): Explained => ({
  request: ['DELETE', `${annotations}${id}/`],
  reason: `405: annotations cannot be deleted, and ${why}`,
})
const notJson = (body: string, why: string): Explained => ({
  request: ['POST', annotations, typed('application/json', body)],
  reason: `400: the body is not valid JSON: Expecting value: line 1 ${why}`,
})

const methods: Readonly<Record<string, Explained>> = {
  'DELETE of an annotation': {
    request: ['DELETE', `${annotations}1/`],
    reason: '405: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
  'DELETE of an annotation that is not there': undeletable('999', 'there is no annotation `999`'),
  'DELETE of an id that is no whole number': undeletable('0x1', 'there is no annotation `0x1`'),
  'DELETE of an annotation of another project': undeletable(
    '7',
    'annotation 7 belongs to project 2',
  ),
  'DELETE of an annotation that is deleted': undeletable('6', 'annotation 6 is deleted already'),
  'DELETE, as a 404': {
    settings: { 'annotations.delete.status': 404 },
    request: ['DELETE', `${annotations}1/`],
    reason: '404: annotations cannot be deleted; send PATCH with {"deleted": true}',
  },
  PUT: {
    request: ['PUT', `${annotations}1/`, { body: { content: 'x' } }],
    reason: ['405: PUT does not work here; GET, PATCH do', null],
  },
  'PATCH of a list': {
    request: ['PATCH', annotations, { body: {} }],
    reason: '405: PATCH does not work here; GET, POST do',
  },
  'POST to a row': {
    request: ['POST', `${annotations}1/`, { body: {} }],
    reason: [
      '405: POST does not work here; GET, PATCH do',
      '403: POST does not work here; GET, PUT, PATCH do (this key gets a 403 for it)',
    ],
  },
  'POST to a row, with a key without scopes': {
    request: ['POST', `${plugins}21/`, { key: 'phx_old', body: {} }],
    reason: [
      '405: POST does not work here; GET, PATCH, DELETE do',
      '405: POST does not work here; GET, PUT, PATCH, DELETE do',
    ],
  },
}

const rows: Readonly<Record<string, Explained>> = {
  'a deleted annotation': get(`${annotations}6/`, '404: annotation 6 is deleted'),
  'an unknown annotation': {
    request: ['PATCH', `${annotations}99/`, { body: {} }],
    reason: '404: no annotation 99 in project 1',
  },
  'a search that does not match': {
    request: ['GET', `${annotations}1/?search=zzz`],
    reason: [null, '404: annotation 1 does not match the parameter search'],
  },
  'an unknown project': get('/api/projects/99/annotations/', '404: no project 99'),
  'the name of a project': get(
    '/api/projects/web-shop/annotations/',
    '404: `web-shop` is not the id of a project, which is a number',
  ),
  '@current of a user without an organization': {
    before: ({ world }) => world.users.update(1, { organizations: [] }),
    request: ['GET', '/api/organizations/@current/plugins/'],
    reason: '404: the user of the key has no organization',
  },
  'an unknown plugin': get(`${plugins}99/`, '404: no plugin 99 in organization Acme'),
  'a plugin of another organization': {
    before: ({ world }) => world.plugins.update(24, { organization: initech }),
    request: ['GET', `${plugins}24/`],
    reason: '404: no plugin 24 in organization Acme (it belongs to organization Initech)',
  },
  'an annotation of another project': get(
    `${annotations}22/`,
    '404: no annotation 22 in project 1 (it belongs to project 3)',
  ),
  'a path that resembles no operation': get('/api/x/', '404: no operation has the path `/api/x/`'),
}

const bodies: Readonly<Record<string, Explained>> = {
  'malformed JSON': notJson('{"content": }', 'column 13 (char 12)'),
  'a form that is sent as JSON': notJson(
    'content=Launch',
    'column 1 (char 0); it is a form: send JSON',
  ),
  'a form of a list that is sent as JSON': notJson(
    'content%5B%5D=Launch',
    'column 1 (char 0); it is a form: send JSON',
  ),
  'an object that was not converted to JSON': notJson(
    String({}),
    'column 2 (char 1); it is the name of an object: send JSON.stringify(object)',
  ),
  'an object that was converted to JSON twice': {
    request: ['POST', annotations, typed('application/json', JSON.stringify('{}'))],
    reason: '400: the body is a string, not an object; it was converted to JSON twice',
  },
  'an equation that is sent as JSON': notJson('a==b', 'column 1 (char 0)'),
  'a compressed body': {
    request: [
      'POST',
      annotations,
      {
        raw: gzipSync('{}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'x-gzip' },
      },
    ],
    reason:
      "400: the body is not valid JSON: 'utf-8' codec can't decode byte 0x8b in position 1: invalid start byte; its Content-Encoding is x-gzip, which the API does not decode",
  },
  'a body that says it is not compressed': {
    request: [
      'POST',
      annotations,
      { raw: '{', headers: { 'content-type': 'application/json', 'content-encoding': 'Identity' } },
    ],
    reason:
      '400: the body is not valid JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  },
  'another content type': {
    request: ['PATCH', `${annotations}1/`, typed('text/xml', '<a/>')],
    reason: [
      '415: the body has the Content-Type `text/xml`; accepted: application/json',
      '415: the body has the Content-Type `text/xml`; accepted: application/json, application/x-www-form-urlencoded',
    ],
  },
  'a body without a content type': {
    request: ['POST', annotations, { raw: new TextEncoder().encode('{}') }],
    reason: [
      '415: the body has no Content-Type; accepted: application/json',
      '415: the body has no Content-Type; accepted: application/json, application/x-www-form-urlencoded',
    ],
  },
  'a form': {
    request: ['POST', annotations, form('content=x')],
    reason: [
      '415: the body has the Content-Type `application/x-www-form-urlencoded`; accepted: application/json',
      null,
    ],
  },
  'a form without a boundary': {
    request: ['POST', annotations, typed('multipart/form-data', 'content=x')],
    reason: [
      '415: the body has the Content-Type `multipart/form-data`; accepted: application/json',
      '415: the body has the Content-Type `multipart/form-data`; accepted: application/json, application/x-www-form-urlencoded',
    ],
  },
  'a large body': {
    settings: { 'limits.body': 2_000 },
    request: ['POST', annotations, { body: { content: 'x'.repeat(2_000) } }],
    reason: '413: the body has more than 2,000 bytes; send at most that many',
  },
  'a choice without a similar one': {
    request: ['POST', annotations, { body: { creation_type: [[true], {}] } }],
    reason: '400: body.creation_type: `[[True], {}]` is not one of USR, GIT',
  },
  'another type': {
    request: ['PATCH', `${annotations}1/`, { body: { deleted: 'maybe' } }],
    reason: '400: body.deleted: Must be a valid boolean',
  },
  'a missing row': {
    request: ['POST', annotations, { body: { dashboard_item: 99 } }],
    reason: '400: body.dashboard_item: Invalid pk "99" - object does not exist',
  },
  'a required field': {
    settings: { 'plugins.create.required': 'name' },
    request: ['POST', plugins, { body: { nmae: 'x' } }],
    reason: '400: body.name: This field is required',
  },
  'an invalid limit': {
    settings: { 'lists.limit.invalid': 'refused' },
    request: ['GET', `${annotations}?limit=many`],
    reason: '400: ?limit: A valid integer is required',
  },
  'a global plugin': {
    settings: { 'plugins.delete.global': 'refused' },
    before: ({ world }) => world.plugins.update(21, { is_global: true }),
    request: ['DELETE', `${plugins}21/`],
    reason: '400: a global plugin cannot be deleted; send PATCH with {"is_global": false} first',
  },
  'a global plugin of an organization that may not make it local': {
    settings: { 'plugins.delete.global': 'refused', 'plugins.access_level': 'enforced' },
    before: ({ world }) => {
      world.plugins.update(21, { is_global: true })
      world.organizations.update(acme, { plugins_access_level: 6 })
    },
    request: ['DELETE', `${plugins}21/`],
    reason:
      '400: a global plugin cannot be deleted, and to make it local requires plugins_access_level 9, not 6',
  },
  'a plugin that is installed already': {
    request: ['POST', plugins, { body: { url: 'https://github.com/acme/bucket-export' } }],
    reason: [
      null,
      '400: Plugin from URL "https://github.com/acme/bucket-export" already installed!',
    ],
  },
}

const others: Readonly<Record<string, Explained>> = {
  'a plugin without a url': {
    request: ['POST', plugins, { body: { name: 'x' } }],
    reason: [null, '500: the body has no url; the live service crashes'],
  },
  'a fault': {
    before: ({ faults }) => void faults.add({ effect: { error: 'throttled', retry_after_s: 3 } }),
    request: ['GET', annotations],
    reason: '429: the fault `fault-1` was applied: the response is a 429 (throttled)',
  },
  'an HTML page of a fault': {
    before: ({ faults }) => void faults.add({ preset: 'outage' }),
    request: ['GET', annotations],
    reason: '503: the fault `fault-1` was applied: the response is a 503',
  },
  'a delayed refusal': {
    before: ({ faults }) => void faults.add({ effect: { delay_ms: 1 } }),
    request: ['GET', annotations, { key: null }],
    reason:
      '401: the request has no Authorization header; the fault `fault-1` was applied: the response is delayed by 1 ms',
  },
  'a fault after the write': {
    before: ({ faults }) =>
      void faults.add({ phase: 'after-commit', effect: { status: 504, body: 'late' } }),
    request: ['POST', annotations, { body: {} }],
    reason:
      '504: the fault `fault-1` was applied: the response is a 504, but the server handled the request',
  },
  'a success': { request: ['GET', annotations], reason: null },
  'a HEAD': {
    request: ['HEAD', `${annotations}99/`],
    reason: '404: no annotation 99 in project 1',
  },
  OPTIONS: { request: ['OPTIONS', annotations], reason: null },
}

export const explained: Readonly<Record<string, Explained>> = {
  ...accessReasons,
  ...methods,
  ...rows,
  ...bodies,
  ...others,
}
