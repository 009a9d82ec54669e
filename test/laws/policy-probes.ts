import type { PolicyId } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { organization } from '../support/api/endpoints.ts'
import type { RequestOptions } from '../support/lanes/client.ts'

type Step = readonly [method: string, path: string, asked?: RequestOptions]

/** Requests whose last answer shows what a policy is set to. */
export interface Probe {
  readonly steps: readonly Step[]
  /** Policies without which the question does not arise. */
  readonly given?: PolicyOverrides
  /** Settings to try, where a policy takes whole numbers. */
  readonly integers?: readonly number[]
  /** Why no request shows it. */
  readonly silent?: string
}

const annotations = '/api/projects/1/annotations/'
const plugins = `/api/organizations/${organization}/plugins/`
const foreign = '/api/organizations/018f2b6e-0000-7000-8000-00000000000b/plugins/'

const ask = (...steps: Step[]): Probe => ({ steps })
const one = (path: string, body: unknown, given?: PolicyOverrides): Probe => ({
  steps: [['POST', path, { body }]],
  ...(given && { given }),
})
/** Asked with a key that has the scope, and with one that has none. */
const scoped = (method: string, path: string, key: string): Probe =>
  ask(
    ...[key, 'phx_none'].map(
      (asking): Step => [
        method,
        `${plugins}${path}`,
        { key: asking, ...(method === 'GET' ? {} : { body: {} }) },
      ],
    ),
  )

export const probes: Readonly<Record<PolicyId, Probe>> = {
  'annotations.creation_type.values': one(annotations, { creation_type: 'BOT' }),
  'annotations.scope.values': ask(
    ['POST', annotations, { body: { scope: 'dashboard' } }],
    ['POST', annotations, { body: { scope: 'tag' } }],
    ['POST', annotations, { body: { scope: 'team' } }],
  ),
  'annotations.restore': ask(['PATCH', `${annotations}6/`, { body: { deleted: false } }]),
  'annotations.deleted.visibility': ask(['GET', `${annotations}6/`], ['GET', annotations]),
  'annotations.delete.status': ask(['DELETE', `${annotations}1/`]),
  'annotations.list.limit.default': { ...ask(['GET', annotations]), integers: [2, 3] },
  'annotations.search.reach': ask(['GET', `${annotations}1/?search=zzz`]),
  'plugins.config_schema.structure': one(plugins, { config_schema: 'text' }),
  'plugins.capabilities.structure': one(plugins, { capabilities: { methods: 'all' } }),
  'plugins.metrics.structure': one(plugins, { metrics: { sent: 'average' } }),
  'plugins.public_jobs.structure': one(plugins, { public_jobs: { job: true } }),
  'plugins.config_schema.null': one(plugins, { config_schema: null }),
  'plugins.capabilities.null': one(plugins, { capabilities: null }),
  'plugins.plugin_type.values': ask(
    ['POST', plugins, { body: { plugin_type: 'inline' } }],
    ['POST', plugins, { body: { plugin_type: 'robot' } }],
  ),
  'plugins.list.limit.default': { ...ask(['GET', plugins]), integers: [1, 2] },
  'plugins.create.required': ask(
    ['POST', plugins, { body: { name: 'Named' } }],
    ['POST', plugins, { body: { url: 'https://github.com/acme/hello' } }],
  ),
  'plugins.create.install': one(plugins, { name: 'X', url: 'https://github.com/acme/hello' }),
  'plugins.create.without_url': one(
    plugins,
    { name: 'X' },
    { 'plugins.create.install': 'from_url' },
  ),
  'plugins.states': { steps: [], silent: 'a plugin has no state that an answer could show' },
  'plugins.delete.global': ask(
    ['PATCH', `${plugins}21/`, { body: { is_global: true } }],
    ['DELETE', `${plugins}21/`],
  ),
  'plugins.global.visibility': ask(['GET', foreign]),
  'plugins.access_level': ask(['POST', foreign, { body: { name: 'X' } }]),
  'plugins.check_for_updates.scope': scoped('GET', '21/check_for_updates/', 'phx_plugin_read'),
  'plugins.source.scope': scoped('GET', '21/source/', 'phx_plugin_read'),
  'plugins.update_source.scope': scoped('PATCH', '21/update_source/', 'phx_plugin_write'),
  'plugins.upgrade.scope': scoped('POST', '21/upgrade/', 'phx_plugin_write'),
  'plugins.activity.scope': scoped('GET', 'activity/', 'phx_plugin_read'),
  'plugins.exports_unsubscribe_configs.scope': scoped(
    'GET',
    'exports_unsubscribe_configs/',
    'phx_plugin_read',
  ),
  'plugins.repository.scope': scoped('GET', 'repository/', 'phx_plugin_read'),
  'plugins.unused.scope': scoped('GET', 'unused/', 'phx_plugin_read'),
  'plugins.check_for_updates.body': ask(['GET', `${plugins}21/check_for_updates/`]),
  'plugins.source.body': ask(['GET', `${plugins}23/source/`]),
  'plugins.update_source.body': ask([
    'PATCH',
    `${plugins}23/update_source/`,
    { body: { name: 'Renamed' } },
  ]),
  'plugins.upgrade.body': ask(['POST', `${plugins}21/upgrade/`, { body: { is_global: 'maybe' } }]),
  'plugins.upgrade.effect': ask(['POST', `${plugins}21/upgrade/`, { body: {} }]),
  'plugins.activity.body': ask(['GET', `${plugins}activity/`]),
  'plugins.exports_unsubscribe_configs.body': ask([
    'GET',
    `${plugins}exports_unsubscribe_configs/`,
  ]),
  'plugins.repository.body': ask(['GET', `${plugins}repository/`]),
  'plugins.unused.body': ask(['GET', `${plugins}unused/`]),
  'keys.missing.status': ask(['GET', annotations, { key: null }]),
  'keys.insufficient.status': ask(['GET', annotations, { key: 'phx_plugins' }]),
  'keys.www_authenticate': ask(['GET', annotations, { key: null }]),
  'keys.issuing': { steps: [], silent: 'no operation issues keys' },
  'keys.lifetime': { steps: [], silent: 'a key that never ends shows nothing' },
  'keys.write_implies_read': ask(['GET', annotations, { key: 'phx_annotation_write' }]),
  'keys.empty_scopes': ask(['GET', annotations, { key: 'phx_none' }]),
  'keys.places': ask(['GET', `${annotations}?personal_api_key=phx_all`, { key: null }]),
  'projects.list.scope': ask(['GET', '/api/projects/', { key: 'phx_plugins' }]),
  'projects.list.limit.default': { ...ask(['GET', '/api/projects/']), integers: [1, 2] },
  'projects.id.not_a_number': ask(['GET', '/api/projects/mine/annotations/']),
  'errors.body': ask(['GET', `${annotations}999/`]),
  'fields.nullable': one(annotations, { content: null }),
  'lists.limit.maximum': ask(['GET', `${annotations}?limit=5000&offset=1`]),
  'lists.limit.invalid': ask(['GET', `${annotations}?limit=many`]),
  'methods.put': ask(['PUT', `${annotations}1/`, { body: {} }]),
  'methods.undocumented': ask(['POST', `${annotations}1/`, { body: {} }]),
  'headers.allow': ask(['GET', `${annotations}1/`]),
  'paths.current': ask(['GET', '/api/projects/@current/annotations/']),
  'paths.format': ask(['GET', `${annotations}1.json`]),
  'bodies.form': ask([
    'POST',
    annotations,
    { raw: new URLSearchParams({ content: 'From a form' }) },
  ]),
  'limits.rate': ask(...Array.from({ length: 481 }, (): Step => ['GET', '/api/projects/'])),
  'limits.retry_after': {
    ...ask(...Array.from({ length: 481 }, (): Step => ['GET', '/api/projects/'])),
    given: { 'limits.rate': 'observed' },
  },
  'limits.body': { ...one(annotations, { content: 'x'.repeat(40) }), integers: [32, 64] },
  events: { steps: [], silent: 'nothing is sent' },
  versioning: ask(['GET', `${annotations}1/`]),
}
