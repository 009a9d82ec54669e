import { anyNumber, assumed, documented, fromSource, inTests } from './evidence.ts'

export const pluginSettings = {
  'plugins.plugin_type.values': {
    cites: ['plugin.plugin_type'],
    question: 'Which values of plugin_type does a plugin accept, besides null and the empty text?',
    values: {
      may_2024: fromSource(
        'local, custom, repository and source.',
        "in the service's API schema of 2024-05",
      ),
      july_2024: fromSource(
        'The values of May 2024 and inline.',
        "in the service's API schema of 2024-07",
      ),
      any: assumed('Any text.'),
    },
    default: 'may_2024',
  },
  'plugins.list.limit.default': {
    cites: ['limits.values'],
    question: 'How many plugins does GET …/plugins return without limit?',
    values: {
      '100': fromSource('At most 100.'),
      integer: anyNumber(1, 1_000_000),
    },
    default: 100,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
  'plugins.create.required': {
    cites: ['plugin.required'],
    question: 'Which field does POST …/plugins require?',
    values: {
      none: fromSource('None.', inTests),
      name: assumed('name. Without it, the response is 400.'),
      url: assumed('url. Without it, the response is 400.'),
    },
    default: 'none',
    cures: { name: 'Let the client send a name.', url: 'Let the client send a url.' },
  },
  'plugins.create.install': {
    cites: ['plugin.url', 'operation.createPlugin'],
    question: 'What does POST …/plugins do with url?',
    values: {
      stored_as_given: assumed(
        'It ignores url. The other fields are stored, and nothing is installed.',
        'the documentation says that url appears in responses only',
      ),
      from_url: fromSource(
        'Unless plugin_type is source, it installs the plugin from url. Without url, it returns 500 then: the live service crashes.',
        inTests,
      ),
    },
    default: 'stored_as_given',
    live: 'from_url',
  },
  'plugins.delete.global': {
    cites: ['operation.deletePlugin'],
    question: 'What does DELETE …/plugins/:id return for a global plugin?',
    values: {
      deleted: documented('204, as for any other plugin.', 'operation.deletePlugin'),
      refused: fromSource('400. The plugin must be made local first.', inTests),
    },
    default: 'deleted',
    live: 'refused',
    cures: { refused: 'Let the client make a plugin local before it deletes it.' },
  },
  'plugins.global.visibility': {
    cites: ['service.plugins'],
    question: 'Which organizations can see a global plugin?',
    values: {
      own_organization: documented('Only its own.', 'service.plugins'),
      every_organization: fromSource(
        'All. Only its own organization can change it. Retrieving it requires no membership.',
        inTests,
      ),
    },
    default: 'own_organization',
    live: 'every_organization',
  },
  'plugins.access_level': {
    cites: [
      'absent.access_level',
      'keys.scopes',
      'operation.listPlugins',
      'operation.createPlugin',
      'operation.retrievePlugin',
      'operation.updatePlugin',
      'operation.deletePlugin',
    ],
    question: 'Does plugins_access_level of an organization restrict operations on plugins?',
    values: {
      ignored: assumed('No.', 'the documentation names no access level'),
      enforced: fromSource(
        'Yes. Reading requires level 3; writing, reading files and check_for_updates level 6; is_global level 9.',
      ),
    },
    default: 'ignored',
    live: 'enforced',
  },
  'plugins.json_fields.structure': {
    cites: ['plugin.config_schema', 'plugin.capabilities', 'plugin.metrics', 'plugin.public_jobs'],
    question:
      'Which JSON values of config_schema, capabilities, metrics and public_jobs does a plugin accept?',
    values: {
      any_json: assumed('Any.', "seen in the service's source for config_schema only"),
      known_shape: assumed(
        'config_schema: a list of field objects, or an object that contains them by name. capabilities: an object with lists of names: methods, jobs and scheduled_tasks. metrics: an object from name to sum, max or min. public_jobs: an object from job name to an object with a payload, an object. Any other value but null returns 400.',
        'the shapes of metrics and public_jobs are inferred',
      ),
    },
    default: 'any_json',
  },
  'plugins.json_fields.null': {
    cites: ['plugin.config_schema', 'plugin.capabilities'],
    question: 'May config_schema and capabilities of a plugin be null in a body?',
    values: {
      accepted: documented('Yes.', 'plugin.config_schema'),
      refused: fromSource('No, null returns 400.'),
    },
    default: 'accepted',
    live: 'refused',
    cures: { refused: 'Let the client leave these fields out in place of null.' },
  },

  // The eight operations from check_for_updates through unused.

  'plugins.other.scope': {
    cites: ['other.scopes', 'keys.scopes'],
    question: 'Which scope do the eight other operations on plugins require?',
    values: {
      plugin_scopes: assumed(
        'plugin:write for update_source and upgrade, and plugin:read for the others, like similar operations.',
        'the documentation does not say',
      ),
      any_key: assumed('None.', 'the documentation does not say'),
      refused: fromSource(
        'They reject every key with scopes. A key without scopes is accepted if it may do everything, like one issued before scopes existed.',
        "in the service's own tests of similar operations",
      ),
    },
    default: 'plugin_scopes',
    live: 'refused',
    cures: {
      plugin_scopes: 'Give the key the scopes plugin:read and plugin:write.',
      refused: 'Let the client work without these operations: a key with scopes may be refused.',
    },
  },
  'plugins.other.body': {
    cites: [
      'other.bodies',
      'operation.checkPluginForUpdates',
      'operation.retrievePluginSource',
      'operation.updatePluginSource',
      'operation.upgradePlugin',
      'operation.listPluginActivity',
      'operation.listExportsUnsubscribeConfigs',
      'operation.listPluginRepository',
      'operation.listUnusedPlugins',
    ],
    question:
      'What do the eight other operations on plugins return, and which bodies do they read?',
    values: {
      plugin: documented(
        'A plugin. update_source stores the fields of a plugin, and upgrade only validates them.',
        'operation.updatePluginSource',
        '; it does not say which plugin a list returns, and what becomes of the fields: it is assumed that update_source stores them, and upgrade does not',
      ),
      specific: fromSource(
        'Specific shapes: {"plugin": …} from check_for_updates, files by name to and from source and update_source, a page of log entries with total_count from activity, and lists of export configurations, catalogue entries and ids from exports_unsubscribe_configs, repository and unused. upgrade returns a plugin, and ignores the fields of its body. What crashes the live service returns 500: check_for_updates without url, update_source with a plugin.json that is not JSON (its files are saved before), and activity with a limit or page that is not an integer.',
      ),
    },
    default: 'plugin',
    live: 'specific',
  },
  'plugins.upgrade.effect': {
    cites: ['other.bodies', 'operation.upgradePlugin'],
    question: 'What does POST …/upgrade change?',
    values: {
      reinstall: fromSource(
        'It installs everything of the newest version in the catalogue, unless plugin_type is source or local.',
      ),
      tag_moves: assumed(
        'Only tag and latest_tag. They become the newest version in the catalogue.',
      ),
      nothing: assumed(
        'Nothing, whatever plugin_type is.',
        'the live service does so for source and local plugins only',
      ),
    },
    default: 'reinstall',
  },
} as const
