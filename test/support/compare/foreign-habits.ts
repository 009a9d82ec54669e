import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { Random } from '../random.ts'
import type { ErrorStyle } from './foreign-errors.ts'

const choices = {
  missing: [401, 403],
  challenge: [true, false],
  insufficient: [403, 404],
  writeReads: [true, false],
  emptyScopes: ['nothing', 'everything'],
  keyInBody: [true, false],
  projects: ['any_key', 'project:read', 'refused'],
  extras: ['plugin', 'any_key', 'refused'],
  annotationLimit: [7, 30, 250],
  pluginLimit: [9, 40],
  projectLimit: [8, 60],
  maximum: [100, 1000, 500_000],
  invalidLimit: ['default', 'refused'],
  deleteAnnotation: [403, 404, 405, 'empty', 'removes'],
  deleted: ['hidden', 'retrievable', 'listed'],
  restores: [true, false],
  searchesRows: [true, false],
  scopes: ['may_2024', 'july_2024', 'ever_seen', 'any', 'own'],
  creationTypes: ['observed', 'any'],
  puts: [true, false],
  undocumented: ['405', 'refused_to_scoped_keys'],
  allow: ['never', 'on_405', 'every_answer', 'lists'],
  current: [true, false],
  location: ['never', 'url'],
  forms: [true, false],
  lenientJson: [true, false],
  nulls: [true, false],
  pluginTypes: ['observed', 'with_inline', 'any'],
  required: ['none', 'name', 'url'],
  url: ['ignored', 'kept', 'installed'],
  structured: ['any_json', 'observed_shape'],
  structuredNull: [true, false],
  globals: ['deleted', 'refused'],
  globalReach: ['own_organization', 'every_organization'],
  bodies: ['plugin', 'own', 'envelope', 'mixed'],
  fields: ['none', 'may_2024', 'july_2024', 'further'],
  token: [true, false],
} as const

/** The habits of a server, one of each choice. */
export type Habits = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] }

export function randomHabits(random: Random): Habits {
  const entries = Object.entries(choices).map(([name, values]) => [
    name,
    random.pick<unknown>(values),
  ])
  return Object.fromEntries(entries) as Habits
}

/** The values that a server has. A value is left out if the server does what no value of it says. */
export function truthOf(habits: Habits, style: ErrorStyle): SettingOverrides {
  const isOwnMaximum = habits.maximum > 1000
  const defaults = (limit: number) => Math.min(limit, habits.maximum)
  const truth: Record<string, unknown> = {
    'keys.missing.status': `${habits.missing}`,
    'keys.www_authenticate':
      habits.missing === 401 ? (habits.challenge ? 'present' : 'absent') : undefined,
    'keys.insufficient.status': `${habits.insufficient}`,
    'keys.write_implies_read': habits.writeReads ? 'yes' : 'no',
    'keys.empty_scopes': habits.emptyScopes,
    'keys.places': habits.keyInBody ? undefined : 'header',
    'projects.list.scope': habits.projects,
    'errors.body': style === 'detail' ? 'detail' : undefined,
    'annotations.list.limit.default': defaults(habits.annotationLimit),
    'plugins.list.limit.default': defaults(habits.pluginLimit),
    'projects.list.limit.default': defaults(habits.projectLimit),
    'lists.limit.maximum': isOwnMaximum ? 'none' : `${habits.maximum}`,
    'lists.limit.invalid': habits.invalidLimit,
    'annotations.delete.status':
      habits.deleteAnnotation === 'removes'
        ? undefined
        : habits.deleteAnnotation === 'empty'
          ? '405_empty'
          : `${habits.deleteAnnotation}`,
    'annotations.deleted.visibility': habits.deleted,
    'annotations.restore': habits.restores ? 'restores' : 'not_found',
    'annotations.search.reach': habits.searchesRows ? 'every_lookup' : 'list',
    'annotations.scope.values': habits.scopes === 'own' ? undefined : habits.scopes,
    'annotations.creation_type.values': habits.creationTypes,
    'methods.put': habits.puts ? 'on' : 'off',
    'methods.undocumented': habits.undocumented,
    'headers.allow':
      habits.allow === 'never' || habits.allow === 'lists' ? undefined : habits.allow,
    'headers.location': habits.location === 'url' ? 'url' : 'absent',
    'paths.current': habits.current ? 'on' : 'off',
    'paths.unknown': 'not_found',
    'paths.format': 'off',
    'projects.token': habits.token ? 'read' : 'ignored',
    'projects.id.not_a_number': 'project_not_found',
    'bodies.form': habits.forms ? 'accepted' : 'refused',
    'bodies.json': habits.lenientJson ? 'lenient' : 'strict',
    'fields.nullable': habits.nulls ? 'observed' : 'documented',
    'plugins.plugin_type.values': habits.pluginTypes,
    'plugins.create.required': habits.required,
    'plugins.create.install': {
      ignored: 'stored_as_given',
      kept: undefined,
      installed: 'from_url',
    }[habits.url],
    'plugins.create.without_url':
      habits.url === 'installed' && habits.required !== 'url' ? 'refused' : undefined,
    'plugins.delete.global': habits.globals,
    'plugins.global.visibility': habits.globalReach,
    'plugins.json_fields.structure': habits.structured,
    'plugins.json_fields.null': habits.structuredNull ? 'accepted' : 'refused',
    'plugins.extras.scope': habits.extras === 'plugin' ? 'plugin_scopes' : habits.extras,
    'plugins.extras.body': habits.bodies === 'mixed' ? undefined : habits.bodies,
    'plugins.extras.none': 'not_found',
    'plugins.extras.crashes': 'usual',
    versioning: habits.fields === 'further' ? undefined : habits.fields,
  }
  const known = Object.entries(truth).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as SettingOverrides
}
