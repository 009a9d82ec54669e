import type { PolicyId } from './policies.ts'
import type { SettingRange } from './policy.ts'

/**
 * The settings of each policy, written by `npm run docs`. A page that answers requests needs no descriptions, so it stays
 * small.
 */
// biome-ignore format: a line for each policy
export const settingRanges: Readonly<Record<PolicyId, SettingRange>> = {
  'annotations.creation_type.values': { values: ['observed', 'any'] },
  'annotations.scope.values': { values: ['may_2024', 'july_2024', 'ever_seen', 'any'] },
  'annotations.restore': { values: ['restores', 'not_found'] },
  'annotations.deleted.visibility': { values: ['hidden', 'retrievable', 'listed'] },
  'annotations.delete.status': { documented: '405', live: '405_empty', values: ['403', '404', '405', '405_empty'] },
  'annotations.list.limit.default': { documented: 1000, minimum: 1, maximum: 1000000 },
  'annotations.search.reach': { live: 'every_lookup', values: ['list', 'every_lookup'] },
  'plugins.plugin_type.values': { values: ['observed', 'with_inline', 'any'] },
  'plugins.list.limit.default': { documented: 100, minimum: 1, maximum: 1000000 },
  'plugins.create.required': { values: ['none', 'name', 'url'] },
  'plugins.create.install': { live: 'from_url', values: ['stored_as_given', 'from_url'] },
  'plugins.create.without_url': { values: ['server_error', 'refused', 'stored'] },
  'plugins.delete.global': { live: 'refused', values: ['deleted', 'refused'] },
  'plugins.global.visibility': { live: 'every_organization', values: ['own_organization', 'every_organization'] },
  'plugins.access_level': { live: 'enforced', values: ['ignored', 'enforced'] },
  'plugins.json_fields.structure': { values: ['any_json', 'observed_shape'] },
  'plugins.json_fields.null': { live: 'refused', values: ['accepted', 'refused'] },
  'plugins.extras.scope': { live: 'refused', values: ['plugin_scopes', 'any_key', 'refused'] },
  'plugins.extras.body': { live: 'own', values: ['plugin', 'own', 'envelope'] },
  'plugins.upgrade.effect': { values: ['reinstall', 'tag_moves', 'nothing'] },
  'plugins.extras.none': { values: ['empty_plugin', 'not_found'] },
  'plugins.extras.crashes': { live: 'server_error', values: ['usual', 'server_error'] },
  'keys.missing.status': { values: ['401', '403'] },
  'keys.insufficient.status': { values: ['403', '404'] },
  'keys.www_authenticate': { values: ['absent', 'present'] },
  'keys.write_implies_read': { live: 'yes', values: ['no', 'yes'] },
  'keys.empty_scopes': { live: 'everything', values: ['nothing', 'everything'] },
  'keys.places': { live: 'header_body_query', values: ['header', 'header_body_query'] },
  'projects.list.scope': { live: 'project:read', values: ['any_key', 'project:read', 'refused'] },
  'projects.list.limit.default': { documented: 100, minimum: 1, maximum: 1000000 },
  'projects.id.not_a_number': { values: ['project_not_found', 'not_found'] },
  'projects.token': { live: 'read', values: ['ignored', 'read'] },
  'errors.body': { values: ['envelope', 'detail', 'list', 'html', 'empty'] },
  'fields.nullable': { values: ['observed', 'documented'] },
  'lists.limit.maximum': { documented: 'none', values: ['100', '1000', 'none'] },
  'lists.limit.invalid': { values: ['default', 'refused'] },
  'methods.put': { live: 'on', values: ['off', 'on'] },
  'methods.undocumented': { live: 'refused_to_scoped_keys', values: ['405', 'refused_to_scoped_keys'] },
  'headers.allow': { live: 'every_answer', values: ['on_405', 'every_answer'] },
  'paths.current': { documented: 'on', values: ['off', 'on'] },
  'paths.unknown': { live: 'view', values: ['not_found', 'view'] },
  'paths.format': { live: 'on', values: ['off', 'on'] },
  'headers.location': { live: 'url', values: ['absent', 'url'] },
  'bodies.form': { live: 'accepted', values: ['refused', 'accepted'] },
  'bodies.json': { live: 'lenient', values: ['strict', 'lenient'] },
  'limits.rate': { values: ['off', 'observed'] },
  'limits.retry_after': { values: ['absent', 'present'] },
  'limits.body': { documented: 1048576, live: 20971520, minimum: 1, maximum: 536870888 },
  'versioning': { values: ['none', 'may_2024', 'july_2024'] },
}

export const policyIds: readonly PolicyId[] = Object.keys(settingRanges) as PolicyId[]
