import { expect, test } from 'vitest'
import type { PolicyId } from '../../../src/policies/policies.ts'
import { allKeys } from '../../support/observe/hidden-server.ts'
import { observeProbe } from '../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const { all = '', old = '', none = '' } = allKeys
const error = (status: number, detail = 'No.'): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })
const isRefusal = ({ status }: Response): boolean => status === 401 || status === 403
/** Gives all keys that may not read the same refusal, as servers without messages do. */
const refuseAlike: Change = (response) => (isRefusal(response) ? error(403) : response)
const refused = (label: string) =>
  `The server refuses the key "${label}" like an unknown one, so the key may be wrong.`
const writer = { all, 'annotation:write': 'phx_annotation_write' }
const pluginWriter = { all, 'plugin:write': 'phx_plugin_write' }

const cases: readonly (readonly [PolicyId, string, Setup, string])[] = [
  ['keys.write_implies_read', 'that knows the key by its message', { keys: writer }, 'no'],
  [
    'keys.write_implies_read',
    'that refuses alike, with writes',
    { keys: writer, change: refuseAlike, policies: { 'projects.list.scope': 'project:read' } },
    'no',
  ],
  [
    'keys.write_implies_read',
    'that refuses alike, without writes',
    {
      keys: writer,
      change: refuseAlike,
      allowWrites: false,
      policies: { 'projects.list.scope': 'project:read' },
    },
    refused('annotation:write'),
  ],
  [
    'keys.write_implies_read',
    'that refuses alike a key of plugins',
    {
      keys: pluginWriter,
      change: refuseAlike,
      policies: { 'projects.list.scope': 'project:read' },
    },
    refused('plugin:write'),
  ],
  ['keys.write_implies_read', 'that knows a key of plugins', { keys: pluginWriter }, 'no'],
  [
    'keys.write_implies_read',
    'with the value yes',
    { keys: pluginWriter, policies: { 'keys.write_implies_read': 'yes' } },
    'yes',
  ],
  [
    'keys.write_implies_read',
    'whose key of full access does not work',
    { keys: { ...writer, all: 'phx_annotation_write' } },
    'The status was 403, and the values would show as 200.',
  ],
  [
    'keys.empty_scopes',
    'that refuses alike',
    {
      keys: { all, none },
      change: refuseAlike,
      policies: { 'keys.empty_scopes': 'nothing', 'projects.list.scope': 'project:read' },
    },
    refused('none'),
  ],
  [
    'keys.empty_scopes',
    'with the value everything',
    { keys: { all, none }, policies: { 'keys.empty_scopes': 'everything' } },
    'everything',
  ],
  [
    'keys.insufficient.status',
    'of which a key without scopes of plugins is known',
    {
      keys: { all, 'annotation:read': 'phx_annotation_read' },
      policies: { 'keys.insufficient.status': '404' },
    },
    '404',
  ],
  [
    'keys.insufficient.status',
    'of which both kinds of keys are known',
    { keys: { 'annotation:read': 'phx_annotation_read', 'plugin:read': 'phx_plugin_read' } },
    '403',
  ],
  [
    'keys.insufficient.status',
    'of which no narrow key is known',
    { keys: { all } },
    'It needs a key without scopes of annotations: --key plugin:read=KEY.',
  ],
  [
    'projects.list.scope',
    'that refuses by 404, and of which an old key is known',
    {
      keys: { all, old },
      policies: { 'projects.list.scope': 'refused', 'keys.insufficient.status': '404' },
      found: { 'keys.insufficient.status': '404' },
    },
    'refused',
  ],
  [
    'projects.list.scope',
    'that refuses by 404 all keys',
    {
      keys: { all, old: all },
      policies: { 'projects.list.scope': 'refused', 'keys.insufficient.status': '404' },
      found: { 'keys.insufficient.status': '404' },
    },
    'The status was 404, and the values would show as 200.',
  ],
  [
    'projects.list.scope',
    'that refuses by 403',
    { keys: { all }, policies: { 'projects.list.scope': 'refused' } },
    'refused',
  ],
  [
    'projects.list.scope',
    'that refuses by another status',
    {
      keys: { all },
      change: (response, _, path) => (/^\/api\/projects\/?$/.test(path) ? error(404) : response),
    },
    'The status was 404, and the values would show as 403.',
  ],
  [
    'projects.list.scope',
    'that refuses plugins, too',
    {
      keys: { all },
      change: (response, _, path) => (/(projects|plugins)\/$/.test(path) ? error(403) : response),
    },
    'The list /api/organizations/:organization_id/plugins/ is not readable (403).',
  ],
  [
    'projects.list.scope',
    'that requires the scope',
    {
      keys: { all, 'plugin:read': 'phx_plugin_read' },
      policies: { 'projects.list.scope': 'project:read' },
    },
    'project:read',
  ],
  [
    'errors.body',
    'without a refusal',
    { change: (response) => (response.status === 401 ? Response.json({}) : response) },
    'The server accepts any key, and requests without a key.',
  ],
  [
    'errors.body',
    'whose missing row is none',
    { change: (response) => (response.status === 404 ? Response.json({}) : response) },
    'The status was 200, and the values would show as 401, 403 or 404.',
  ],
  [
    'errors.body',
    'that refuses by 403',
    { policies: { 'keys.missing.status': '403', 'errors.body': 'detail' } },
    'detail',
  ],
  [
    'keys.missing.status',
    'that refuses by 404',
    { change: (response) => (response.status === 401 ? error(404) : response) },
    'The status was 404, and the values would show as 401 or 403.',
  ],
  [
    'keys.www_authenticate',
    'with the header',
    { policies: { 'keys.www_authenticate': 'present' } },
    'present',
  ],
  [
    'projects.token',
    'that reads it',
    { policies: { 'projects.token': 'read', 'keys.missing.status': '403' } },
    'read',
  ],
  [
    'projects.token',
    'that needs no key',
    { change: (response) => (response.status === 401 ? error(404) : response) },
    'The status was 404, and the values would show as 401 or 403.',
  ],
  [
    'projects.token',
    'with another status',
    { change: (response) => (response.status === 200 ? error(400) : response) },
    'The status was 400, and the values would show as 200 or 401.',
  ],
]

test.each(cases)('%s of a server %s', async (id, _title, setup, expected) => {
  expect(await observeProbe(id, setup)).toBe(expected)
})
