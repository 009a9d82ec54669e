import type { PolicyOf, ValueDefinition } from './policy.ts'

function requiredScope<Scope extends 'plugin:read' | 'plugin:write'>(
  operation: string,
  scope: Scope,
): PolicyOf<Scope | 'any_key' | 'refused'> {
  const values = {
    [scope]: {
      assumed: 'This scope, which similar operations require.',
      source: 'the documentation does not say',
    },
    any_key: {
      assumed: 'None. Any valid key is accepted.',
      source: 'the documentation does not say',
    },
    refused: {
      observed:
        'It rejects every key with scopes. Only a key issued before scopes existed is accepted.',
      source: "seen in the live service's own tests of similar operations",
    },
  }
  return {
    cites: ['extras.scopes', 'keys.scopes'],
    question: `Which scope does ${operation} require?`,
    values: values as Record<Scope | 'any_key' | 'refused', ValueDefinition>,
    documented: scope,
    live: 'refused',
  }
}

export const extraPolicies = {
  'plugins.check_for_updates.scope': requiredScope('GET …/check_for_updates', 'plugin:read'),
  'plugins.source.scope': requiredScope('GET …/source', 'plugin:read'),
  'plugins.update_source.scope': requiredScope('PATCH …/update_source', 'plugin:write'),
  'plugins.upgrade.scope': requiredScope('POST …/upgrade', 'plugin:write'),
  'plugins.activity.scope': requiredScope('GET …/activity', 'plugin:read'),
  'plugins.exports_unsubscribe_configs.scope': requiredScope(
    'GET …/exports_unsubscribe_configs',
    'plugin:read',
  ),
  'plugins.repository.scope': requiredScope('GET …/repository', 'plugin:read'),
  'plugins.unused.scope': requiredScope('GET …/unused', 'plugin:read'),
  'plugins.check_for_updates.body': {
    documentation: 'Check for updates: 200, Plugin shape',
    cites: ['operation.checkPluginForUpdates'],
    question: 'What does GET …/check_for_updates return?',
    values: {
      plugin: {
        documented: 'The plugin, with latest_tag updated from the catalogue.',
        source:
          'the documentation says: Check for updates: 200, Plugin shape; it does not say what is updated',
      },
      wrapped: { observed: 'The same plugin, as {"plugin": …}.', source: 'tests' },
    },
    documented: 'plugin',
    live: 'wrapped',
  },
  'plugins.source.body': {
    documentation: 'Retrieve source: 200, Plugin shape',
    cites: ['operation.retrievePluginSource'],
    question: 'What does GET …/source return?',
    values: {
      plugin: { documented: 'The plugin.' },
      files: {
        observed: 'The source files of the plugin, as an object from file name to text.',
        source: 'tests',
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.update_source.body': {
    documentation: 'Update source: same body fields as create; 200, Plugin shape',
    cites: ['operation.updatePluginSource', 'extras.bodies'],
    question: 'What does PATCH …/update_source accept and return?',
    values: {
      plugin: {
        documented: 'It accepts fields of the plugin and returns the plugin.',
        source:
          'the documentation says: Update source: same body fields as create; 200, Plugin shape; it does not say what becomes of the fields: it is assumed that they are stored',
      },
      files: {
        observed:
          'It accepts an object from file name to text, or to null to remove a file, and returns all files.',
        source: 'tests',
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.upgrade.body': {
    documentation: 'Upgrade: same body fields as create',
    cites: ['operation.upgradePlugin', 'extras.bodies'],
    question: 'What does POST …/upgrade do with its body?',
    values: {
      validated: {
        documented: 'It validates the body like POST …/plugins.',
        source:
          'the documentation says: Upgrade: same body fields as create; it does not say what becomes of them: it is assumed that they are not stored',
      },
      ignored: { observed: 'It ignores the body.' },
    },
    documented: 'validated',
    live: 'ignored',
  },
  'plugins.upgrade.effect': {
    documentation: 'the effect of upgrade on stored data, beyond the Plugin shape: not shown',
    cites: ['operation.upgradePlugin', 'extras.bodies'],
    question: 'What does POST …/upgrade change?',
    values: {
      reinstall: {
        observed:
          'It installs everything of the newest version, unless plugin_type is source or local.',
      },
      tag_moves: {
        assumed: 'Only tag and latest_tag. They become the newest version in the catalogue.',
      },
      nothing: {
        assumed: 'Nothing, whatever plugin_type is.',
        source: 'the live service does so for source and local plugins only',
      },
    },
    documented: 'reinstall',
  },
  'plugins.extras.none': {
    documentation: 'Exports unsubscribe configs and Repository: 200, Plugin shape',
    cites: ['operation.listExportsUnsubscribeConfigs', 'extras.bodies'],
    question: 'What do the four lists return as a plugin if none of the organization matches?',
    values: {
      empty_plugin: {
        assumed: '200 with the id 0 and empty values, in the organization of the path.',
        source:
          'the documentation promises 200 and the Plugin shape; no stored plugin has the id 0',
      },
      not_found: { assumed: '404.' },
    },
    documented: 'empty_plugin',
  },
  'plugins.extras.crashes': {
    documentation: 'Check for updates, Update source and Activity: 200, Plugin shape',
    cites: [
      'operation.checkPluginForUpdates',
      'operation.updatePluginSource',
      'operation.listPluginActivity',
    ],
    question:
      'What do check_for_updates without url, update_source with a plugin.json that is not JSON, and activity as a page with a limit or page that is not an integer return?',
    values: {
      usual: { documented: '200, as usual.' },
      server_error: {
        observed: '500. The live service crashes. The files of update_source are saved before.',
      },
    },
    documented: 'usual',
    live: 'server_error',
  },
  'plugins.activity.body': {
    documentation: 'Activity: 200, Plugin shape; response body, beyond the Plugin shape: not shown',
    cites: ['operation.listPluginActivity', 'extras.bodies'],
    question: 'What does GET …/activity return?',
    values: {
      plugin: {
        documented: 'The most recently changed plugin of the organization, if any.',
        source: 'the documentation says: Activity: 200, Plugin shape; it does not say which plugin',
      },
      page: { observed: 'A page of log entries with total_count, newest first.', source: 'tests' },
      envelope: { assumed: 'The same entries in the pagination envelope of the lists.' },
    },
    documented: 'plugin',
    live: 'page',
  },
  'plugins.exports_unsubscribe_configs.body': {
    documentation:
      'Exports unsubscribe configs: 200, Plugin shape; response body, beyond it: not shown',
    cites: ['operation.listExportsUnsubscribeConfigs', 'extras.bodies'],
    question: 'What does GET …/exports_unsubscribe_configs return?',
    values: {
      plugin: {
        documented: 'The first plugin with an export configuration, if any.',
        source:
          'the documentation says: Exports unsubscribe configs: 200, Plugin shape; it does not say which plugin',
      },
      configurations: { observed: 'A list of the enabled export configurations.' },
      envelope: { assumed: 'The same configurations in the pagination envelope of the lists.' },
    },
    documented: 'plugin',
    live: 'configurations',
  },
  'plugins.repository.body': {
    documentation: 'Repository: 200, Plugin shape; response body, beyond it: not shown',
    cites: ['operation.listPluginRepository', 'extras.bodies'],
    question: 'What does GET …/repository return?',
    values: {
      plugin: {
        documented: 'The installed plugin whose url comes first in the catalogue, if any.',
        source:
          'the documentation says: Repository: 200, Plugin shape; it does not say which plugin',
      },
      catalogue: { observed: 'A list of the catalogue entries.', source: 'tests' },
      envelope: { assumed: 'The same entries in the pagination envelope of the lists.' },
    },
    documented: 'plugin',
    live: 'catalogue',
  },
  'plugins.unused.body': {
    documentation: 'Unused: 200, Plugin shape; response body, beyond it: not shown',
    cites: ['operation.listUnusedPlugins', 'extras.bodies'],
    question: 'What does GET …/unused return?',
    values: {
      plugin: {
        documented: 'The first plugin without an enabled configuration, if any.',
        source: 'the documentation says: Unused: 200, Plugin shape; it does not say which plugin',
      },
      ids: {
        observed: 'A list of the ids of these plugins, in all organizations.',
        source: 'tests',
      },
      envelope: { assumed: 'The same ids in the pagination envelope of the lists.' },
    },
    documented: 'plugin',
    live: 'ids',
  },
} as const
