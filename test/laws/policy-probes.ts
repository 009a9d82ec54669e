import type { PolicyId } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { acme, annotationsPath, initech } from '../support/api/paths.ts'
import type { RequestOptions } from '../support/lanes/client.ts'

type Step = readonly [method: string, path: string, options?: RequestOptions]

/** Requests whose responses depend on a policy. */
export interface Probe {
  readonly steps: readonly Step[]
  /** Other policies that must be set for the policy to have an effect. */
  readonly requires?: PolicyOverrides
  /** The settings to compare, for a policy of whole numbers. */
  readonly integers?: readonly number[]
  /** Why the policy affects no response. */
  readonly silent?: string
}

const plugins = `/api/organizations/${acme}/plugins/`
const foreign = '/api/organizations/018f2b6e-0000-7000-8000-00000000000b/plugins/'

const requests = (...steps: Step[]): Probe => ({ steps })
const post = (path: string, body: unknown, requires?: PolicyOverrides): Probe => ({
  steps: [['POST', path, { body }]],
  ...(requires && { requires }),
})
/** Requests with a key that has the scope, and with one without scopes. */
const withAndWithoutScope = (method: string, path: string, key: string): Probe =>
  requests(
    ...[key, 'phx_none'].map(
      (key): Step => [
        method,
        `${plugins}${path}`,
        { key, ...(method === 'GET' ? {} : { body: {} }) },
      ],
    ),
  )

export const probes: Readonly<Record<PolicyId, Probe>> = {
  'annotations.creation_type.values': post(annotationsPath, { creation_type: 'BOT' }),
  'annotations.scope.values': requests(
    ['POST', annotationsPath, { body: { scope: 'dashboard' } }],
    ['POST', annotationsPath, { body: { scope: 'tag' } }],
    ['POST', annotationsPath, { body: { scope: 'team' } }],
  ),
  'annotations.restore': requests(['PATCH', `${annotationsPath}6/`, { body: { deleted: false } }]),
  'annotations.deleted.visibility': requests(
    ['GET', `${annotationsPath}6/`],
    ['GET', annotationsPath],
  ),
  'annotations.delete.status': requests(['DELETE', `${annotationsPath}1/`]),
  'annotations.list.limit.default': { ...requests(['GET', annotationsPath]), integers: [2, 3] },
  'annotations.search.reach': requests(['GET', `${annotationsPath}1/?search=zzz`]),
  'plugins.config_schema.structure': post(plugins, { config_schema: 'text' }),
  'plugins.capabilities.structure': post(plugins, { capabilities: { methods: 'all' } }),
  'plugins.metrics.structure': post(plugins, { metrics: { sent: 'average' } }),
  'plugins.public_jobs.structure': post(plugins, { public_jobs: { job: true } }),
  'plugins.config_schema.null': post(plugins, { config_schema: null }),
  'plugins.capabilities.null': post(plugins, { capabilities: null }),
  'plugins.plugin_type.values': requests(
    ['POST', plugins, { body: { plugin_type: 'inline' } }],
    ['POST', plugins, { body: { plugin_type: 'robot' } }],
  ),
  'plugins.list.limit.default': { ...requests(['GET', plugins]), integers: [1, 2] },
  'plugins.create.required': requests(
    ['POST', plugins, { body: { name: 'Named' } }],
    ['POST', plugins, { body: { url: 'https://github.com/acme/hello' } }],
  ),
  'plugins.create.install': post(plugins, { name: 'X', url: 'https://github.com/acme/hello' }),
  'plugins.create.without_url': post(
    plugins,
    { name: 'X' },
    { 'plugins.create.install': 'from_url' },
  ),
  'plugins.states': { steps: [], silent: 'a plugin has no states' },
  'plugins.delete.global': requests(
    ['PATCH', `${plugins}21/`, { body: { is_global: true } }],
    ['DELETE', `${plugins}21/`],
  ),
  'plugins.global.visibility': requests(['GET', foreign]),
  'plugins.access_level': requests(['POST', foreign, { body: { name: 'X' } }]),
  'plugins.check_for_updates.scope': withAndWithoutScope(
    'GET',
    '21/check_for_updates/',
    'phx_plugin_read',
  ),
  'plugins.source.scope': withAndWithoutScope('GET', '21/source/', 'phx_plugin_read'),
  'plugins.update_source.scope': withAndWithoutScope(
    'PATCH',
    '21/update_source/',
    'phx_plugin_write',
  ),
  'plugins.upgrade.scope': withAndWithoutScope('POST', '21/upgrade/', 'phx_plugin_write'),
  'plugins.activity.scope': withAndWithoutScope('GET', 'activity/', 'phx_plugin_read'),
  'plugins.exports_unsubscribe_configs.scope': withAndWithoutScope(
    'GET',
    'exports_unsubscribe_configs/',
    'phx_plugin_read',
  ),
  'plugins.repository.scope': withAndWithoutScope('GET', 'repository/', 'phx_plugin_read'),
  'plugins.unused.scope': withAndWithoutScope('GET', 'unused/', 'phx_plugin_read'),
  'plugins.check_for_updates.body': requests(['GET', `${plugins}21/check_for_updates/`]),
  'plugins.source.body': requests(['GET', `${plugins}23/source/`]),
  'plugins.update_source.body': requests([
    'PATCH',
    `${plugins}23/update_source/`,
    { body: { name: 'Renamed' } },
  ]),
  'plugins.upgrade.body': requests([
    'POST',
    `${plugins}21/upgrade/`,
    { body: { is_global: 'maybe' } },
  ]),
  'plugins.upgrade.effect': requests(['POST', `${plugins}21/upgrade/`, { body: {} }]),
  'plugins.extras.none': requests(['GET', `/api/organizations/${initech}/plugins/repository/`]),
  'plugins.extras.crashes': requests(['GET', `${plugins}23/check_for_updates/`]),
  'plugins.activity.body': requests(['GET', `${plugins}activity/`]),
  'plugins.exports_unsubscribe_configs.body': requests([
    'GET',
    `${plugins}exports_unsubscribe_configs/`,
  ]),
  'plugins.repository.body': requests(['GET', `${plugins}repository/`]),
  'plugins.unused.body': requests(['GET', `${plugins}unused/`]),
  'keys.missing.status': requests(['GET', annotationsPath, { key: null }]),
  'keys.insufficient.status': requests(['GET', annotationsPath, { key: 'phx_plugins' }]),
  'keys.www_authenticate': requests(['GET', annotationsPath, { key: null }]),
  'keys.issuing': { steps: [], silent: 'no operation issues keys' },
  'keys.lifetime': { steps: [], silent: 'keys never expire' },
  'keys.write_implies_read': requests(['GET', annotationsPath, { key: 'phx_annotation_write' }]),
  'keys.empty_scopes': requests(['GET', annotationsPath, { key: 'phx_none' }]),
  'keys.places': requests(['GET', `${annotationsPath}?personal_api_key=phx_all`, { key: null }]),
  'projects.list.scope': requests(['GET', '/api/projects/', { key: 'phx_plugins' }]),
  'projects.list.limit.default': { ...requests(['GET', '/api/projects/']), integers: [1, 2] },
  'projects.token': requests(['GET', `${annotationsPath}?token=x`]),
  'projects.id.not_a_number': requests(['GET', '/api/projects/mine/annotations/']),
  'errors.body': requests(['GET', `${annotationsPath}999/`]),
  'fields.nullable': post(annotationsPath, { content: null }),
  'lists.limit.maximum': requests(['GET', `${annotationsPath}?limit=5000&offset=1`]),
  'lists.limit.invalid': requests(['GET', `${annotationsPath}?limit=many`]),
  'methods.put': requests(['PUT', `${annotationsPath}1/`, { body: {} }]),
  'methods.undocumented': requests(['POST', `${annotationsPath}1/`, { body: {} }]),
  'headers.allow': requests(['GET', `${annotationsPath}1/`]),
  'paths.current': requests(['GET', '/api/projects/@current/annotations/']),
  'paths.unknown': requests(['OPTIONS', '/api/projects/1/annotation/']),
  'headers.location': post(plugins, { plugin_type: 'source' }),
  'paths.format': requests(['GET', `${annotationsPath}1.json`]),
  'bodies.form': requests([
    'POST',
    annotationsPath,
    { raw: new URLSearchParams({ content: 'From a form' }) },
  ]),
  'bodies.json': requests([
    'POST',
    annotationsPath,
    { raw: '{"content": NaN}', headers: { 'content-type': '*/*' } },
  ]),
  'limits.rate': requests(...Array.from({ length: 481 }, (): Step => ['GET', '/api/projects/'])),
  'limits.retry_after': {
    ...requests(...Array.from({ length: 481 }, (): Step => ['GET', '/api/projects/'])),
    requires: { 'limits.rate': 'observed' },
  },
  'limits.body': { ...post(annotationsPath, { content: 'x'.repeat(40) }), integers: [32, 64] },
  events: { steps: [], silent: 'no events are sent' },
  versioning: requests(['GET', `${annotationsPath}1/`]),
}
