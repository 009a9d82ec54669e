import { assumed, documented, fromSource } from './evidence.ts'
/** Settings about the eight operations on plugins from check_for_updates through unused. */
export const otherSettings = {
  'plugins.other.scope': {
    cites: ['other.scopes', 'keys.scopes'],
    question: 'Which scope do the eight other operations on plugins require?',
    values: {
      plugin_scopes: assumed(
        'plugin:write for update_source and upgrade, and plugin:read for the others, like similar operations.',
        'the documentation does not say',
      ),
      any_key: assumed('None. Any valid key is accepted.', 'the documentation does not say'),
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
        'Specific shapes: {"plugin": …} from check_for_updates, files by name to and from source and update_source, a page of log entries with total_count from activity, and lists of export configurations, catalogue entries and ids from exports_unsubscribe_configs, repository and unused. upgrade returns a plugin, and ignores its body. What crashes the live service returns 500: check_for_updates without url, update_source with a plugin.json that is not JSON (its files are saved before), and activity with a limit or page that is not an integer.',
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
        'It installs everything of the newest version, unless plugin_type is source or local.',
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
