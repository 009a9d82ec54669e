import type { PolicyDefinition } from './policy.ts'

type ReadExtra =
  | 'check_for_updates'
  | 'source'
  | 'activity'
  | 'exports_unsubscribe_configs'
  | 'repository'
  | 'unused'
type WriteExtra = 'update_source' | 'upgrade'

interface ScopePolicy<Scope extends string> extends PolicyDefinition {
  readonly values: Readonly<
    Record<Scope | 'any_key' | 'refused', PolicyDefinition['values'][string]>
  >
}

function requiredScope<Scope extends 'plugin:read' | 'plugin:write'>(
  operation: string,
  scope: Scope,
): ScopePolicy<Scope> {
  const values: PolicyDefinition['values'] = {
    [scope]: {
      meaning: 'This scope, which similar operations require.',
      evidence: 'assumed',
      source: 'the documentation does not say',
    },
    any_key: {
      meaning: 'None. Any valid key is accepted.',
      evidence: 'assumed',
      source: 'the documentation does not say',
    },
    refused: {
      meaning:
        'It rejects every key with scopes. Only a key issued before scopes existed is accepted.',
      evidence: 'observed',
      source: "seen in the live service's own tests of similar operations",
    },
  }
  return {
    documentation:
      'Required scopes for the eight operations from check_for_updates through unused: not shown.',
    question: `Which scope does ${operation} require?`,
    values: values as ScopePolicy<Scope>['values'],
    documented: scope,
    live: 'refused',
  }
}

/** Policies about the scopes of the eight extra operations on plugins. */
export const extraScopePolicies: Readonly<
  Record<`plugins.${ReadExtra}.scope`, ScopePolicy<'plugin:read'>> &
    Record<`plugins.${WriteExtra}.scope`, ScopePolicy<'plugin:write'>>
> = {
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
}

/** Policies about the bodies and effects of the eight extra operations on plugins. */
export const extraBodyPolicies = {
  'plugins.check_for_updates.body': {
    documentation: 'Check for updates: 200, Plugin shape',
    question: 'What does GET …/check_for_updates return?',
    values: {
      plugin: {
        meaning: 'The plugin, with latest_tag updated from the catalogue.',
        evidence: 'documented',
      },
      wrapped: {
        meaning: 'The same plugin, as {"plugin": …}.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'plugin',
    live: 'wrapped',
  },
  'plugins.source.body': {
    documentation: 'Retrieve source: 200, Plugin shape',
    question: 'What does GET …/source return?',
    values: {
      plugin: { meaning: 'The plugin.', evidence: 'documented' },
      files: {
        meaning: 'The source files of the plugin, as an object from file name to text.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.update_source.body': {
    documentation: 'Update source: same body fields as create; 200, Plugin shape',
    question: 'What does PATCH …/update_source accept and return?',
    values: {
      plugin: {
        meaning: 'It accepts fields of the plugin, updates them and returns the plugin.',
        evidence: 'documented',
      },
      files: {
        meaning:
          'It accepts an object from file name to text, or to null to remove a file, and returns all files.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.upgrade.body': {
    documentation: 'Upgrade: same body fields as create',
    question: 'What does POST …/upgrade do with its body?',
    values: {
      validated: {
        meaning: 'It validates the body like POST …/plugins, but does not store it.',
        evidence: 'assumed',
        source: 'the documentation says: Upgrade: same body fields as create',
      },
      ignored: { meaning: 'It ignores the body.', evidence: 'observed' },
    },
    documented: 'validated',
    live: 'ignored',
  },
  'plugins.upgrade.effect': {
    documentation: 'the effect of upgrade on stored data, beyond the Plugin shape: not shown',
    question: 'What does POST …/upgrade change?',
    values: {
      tag_moves: {
        meaning: 'tag and latest_tag become the newest version in the catalogue.',
        evidence: 'assumed',
        source: 'the documentation does not say',
      },
      reinstall: {
        meaning:
          'It installs everything of the newest version, unless plugin_type is source or local.',
        evidence: 'observed',
      },
      nothing: { meaning: 'Nothing, as for source and local plugins.', evidence: 'observed' },
    },
    documented: 'tag_moves',
    live: 'reinstall',
  },
  'plugins.activity.body': {
    documentation: 'Activity: 200, Plugin shape; response body, beyond the Plugin shape: not shown',
    question: 'What does GET …/activity return?',
    values: {
      plugin: {
        meaning: 'The most recently changed plugin of the organization, or 404 without one.',
        evidence: 'assumed',
        source: 'the documentation says: Activity: 200, Plugin shape',
      },
      page: {
        meaning: 'A page of log entries with total_count, newest first.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      envelope: {
        meaning: 'The same entries in the pagination envelope of the lists.',
        evidence: 'assumed',
      },
    },
    documented: 'plugin',
    live: 'page',
  },
  'plugins.exports_unsubscribe_configs.body': {
    documentation:
      'Exports unsubscribe configs: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does GET …/exports_unsubscribe_configs return?',
    values: {
      plugin: {
        meaning: 'The first plugin with an export configuration, or 404 without one.',
        evidence: 'assumed',
        source: 'the documentation says: Exports unsubscribe configs: 200, Plugin shape',
      },
      configurations: {
        meaning: 'A list of the enabled export configurations.',
        evidence: 'observed',
      },
      envelope: {
        meaning: 'The same configurations in the pagination envelope of the lists.',
        evidence: 'assumed',
      },
    },
    documented: 'plugin',
    live: 'configurations',
  },
  'plugins.repository.body': {
    documentation: 'Repository: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does GET …/repository return?',
    values: {
      plugin: {
        meaning: 'The installed plugin whose url comes first in the catalogue, or 404 without one.',
        evidence: 'assumed',
        source: 'the documentation says: Repository: 200, Plugin shape',
      },
      catalogue: {
        meaning: 'A list of the catalogue entries.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      envelope: {
        meaning: 'The same entries in the pagination envelope of the lists.',
        evidence: 'assumed',
      },
    },
    documented: 'plugin',
    live: 'catalogue',
  },
  'plugins.unused.body': {
    documentation: 'Unused: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does GET …/unused return?',
    values: {
      plugin: {
        meaning: 'The first plugin without an enabled configuration, or 404 without one.',
        evidence: 'assumed',
        source: 'the documentation says: Unused: 200, Plugin shape',
      },
      ids: {
        meaning: 'A list of the ids of these plugins, in all organizations.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      envelope: {
        meaning: 'The same ids in the pagination envelope of the lists.',
        evidence: 'assumed',
      },
    },
    documented: 'plugin',
    live: 'ids',
  },
} as const
