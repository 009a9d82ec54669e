import type { PolicyId } from './policies.ts'

/** The settings that a policy allows: some values, or the whole numbers of a range. */
export interface SettingRange {
  readonly documented: string | number
  /** By default as documented */
  readonly live?: string | number
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * The settings of each policy, written by `npm run docs`. A page that answers requests needs no descriptions, so it stays
 * small.
 */
// biome-ignore format: a line for each policy
export const settingRanges: Readonly<Record<PolicyId, SettingRange>> = {
  'annotations.creation_type.values': { documented: 'observed', values: ['observed', 'any'] },
  'annotations.scope.values': { documented: 'may_2024', values: ['may_2024', 'july_2024', 'ever_seen', 'any'] },
  'annotations.restore': { documented: 'restores', values: ['restores', 'not_found'] },
  'annotations.deleted.visibility': { documented: 'hidden', values: ['hidden', 'retrievable', 'listed'] },
  'annotations.delete.status': { documented: '405', live: '405_empty', values: ['403', '404', '405', '405_empty'] },
  'annotations.list.limit.default': { documented: 1000, minimum: 1, maximum: 1000000 },
  'annotations.search.reach': { documented: 'list', live: 'every_lookup', values: ['list', 'every_lookup'] },
  'plugins.plugin_type.values': { documented: 'observed', values: ['observed', 'with_inline', 'any'] },
  'plugins.list.limit.default': { documented: 100, minimum: 1, maximum: 1000000 },
  'plugins.create.required': { documented: 'none', values: ['none', 'name', 'url'] },
  'plugins.create.install': { documented: 'stored_as_given', live: 'from_url', values: ['stored_as_given', 'from_url'] },
  'plugins.create.without_url': { documented: 'server_error', values: ['server_error', 'refused', 'stored'] },
  'plugins.states': { documented: 'none', values: ['none'] },
  'plugins.delete.global': { documented: 'deleted', live: 'refused', values: ['deleted', 'refused'] },
  'plugins.global.visibility': { documented: 'own_organization', live: 'every_organization', values: ['own_organization', 'every_organization'] },
  'plugins.access_level': { documented: 'ignored', live: 'enforced', values: ['ignored', 'enforced'] },
  'plugins.config_schema.structure': { documented: 'any_json', values: ['any_json', 'observed_shape'] },
  'plugins.capabilities.structure': { documented: 'any_json', values: ['any_json', 'observed_shape'] },
  'plugins.metrics.structure': { documented: 'any_json', values: ['any_json', 'observed_shape'] },
  'plugins.public_jobs.structure': { documented: 'any_json', values: ['any_json', 'observed_shape'] },
  'plugins.config_schema.null': { documented: 'accepted', live: 'refused', values: ['accepted', 'refused'] },
  'plugins.capabilities.null': { documented: 'accepted', live: 'refused', values: ['accepted', 'refused'] },
  'plugins.check_for_updates.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.source.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.update_source.scope': { documented: 'plugin:write', live: 'refused', values: ['plugin:write', 'any_key', 'refused'] },
  'plugins.upgrade.scope': { documented: 'plugin:write', live: 'refused', values: ['plugin:write', 'any_key', 'refused'] },
  'plugins.activity.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.exports_unsubscribe_configs.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.repository.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.unused.scope': { documented: 'plugin:read', live: 'refused', values: ['plugin:read', 'any_key', 'refused'] },
  'plugins.check_for_updates.body': { documented: 'plugin', live: 'wrapped', values: ['plugin', 'wrapped'] },
  'plugins.source.body': { documented: 'plugin', live: 'files', values: ['plugin', 'files'] },
  'plugins.update_source.body': { documented: 'plugin', live: 'files', values: ['plugin', 'files'] },
  'plugins.upgrade.body': { documented: 'validated', live: 'ignored', values: ['validated', 'ignored'] },
  'plugins.upgrade.effect': { documented: 'tag_moves', live: 'reinstall', values: ['tag_moves', 'reinstall', 'nothing'] },
  'plugins.extras.none': { documented: 'empty_plugin', values: ['empty_plugin', 'not_found'] },
  'plugins.activity.body': { documented: 'plugin', live: 'page', values: ['plugin', 'page', 'envelope'] },
  'plugins.exports_unsubscribe_configs.body': { documented: 'plugin', live: 'configurations', values: ['plugin', 'configurations', 'envelope'] },
  'plugins.repository.body': { documented: 'plugin', live: 'catalogue', values: ['plugin', 'catalogue', 'envelope'] },
  'plugins.unused.body': { documented: 'plugin', live: 'ids', values: ['plugin', 'ids', 'envelope'] },
  'keys.missing.status': { documented: '401', values: ['401', '403'] },
  'keys.insufficient.status': { documented: '403', values: ['403', '404'] },
  'keys.www_authenticate': { documented: 'absent', values: ['absent', 'present'] },
  'keys.issuing': { documented: 'by_hand', values: ['by_hand'] },
  'keys.lifetime': { documented: 'no_expiry', values: ['no_expiry'] },
  'keys.write_implies_read': { documented: 'no', live: 'yes', values: ['no', 'yes'] },
  'keys.empty_scopes': { documented: 'nothing', live: 'everything', values: ['nothing', 'everything'] },
  'keys.places': { documented: 'header', live: 'header_body_query', values: ['header', 'header_body_query'] },
  'projects.list.scope': { documented: 'any_key', live: 'project:read', values: ['any_key', 'project:read', 'refused'] },
  'projects.list.limit.default': { documented: 100, minimum: 1, maximum: 1000000 },
  'projects.id.not_a_number': { documented: 'project_not_found', values: ['project_not_found', 'not_found'] },
  'projects.token': { documented: 'ignored', live: 'read', values: ['ignored', 'read'] },
  'errors.body': { documented: 'envelope', values: ['envelope', 'detail', 'list', 'html', 'empty'] },
  'fields.nullable': { documented: 'observed', values: ['observed', 'documented'] },
  'lists.limit.maximum': { documented: 'none', values: ['100', '1000', 'none'] },
  'lists.limit.invalid': { documented: 'default', values: ['default', 'refused'] },
  'methods.put': { documented: 'off', live: 'on', values: ['off', 'on'] },
  'methods.undocumented': { documented: '405', live: 'refused_to_scoped_keys', values: ['405', 'refused_to_scoped_keys'] },
  'headers.allow': { documented: 'on_405', live: 'every_answer', values: ['on_405', 'every_answer'] },
  'paths.current': { documented: 'on', values: ['off', 'on'] },
  'paths.unknown': { documented: 'not_found', live: 'view', values: ['not_found', 'view'] },
  'paths.format': { documented: 'off', live: 'on', values: ['off', 'on'] },
  'headers.location': { documented: 'absent', live: 'url', values: ['absent', 'url'] },
  'bodies.form': { documented: 'refused', live: 'accepted', values: ['refused', 'accepted'] },
  'bodies.json': { documented: 'strict', live: 'lenient', values: ['strict', 'lenient'] },
  'limits.rate': { documented: 'off', values: ['off', 'observed'] },
  'limits.retry_after': { documented: 'absent', values: ['absent', 'present'] },
  'limits.body': { documented: 1048576, live: 20971520, minimum: 1, maximum: 536870888 },
  'events': { documented: 'none', values: ['none'] },
  'versioning': { documented: 'none', values: ['none', 'may_2024', 'july_2024'] },
}

export const policyIds: readonly PolicyId[] = Object.keys(settingRanges) as PolicyId[]
