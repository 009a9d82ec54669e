import type { Policy } from './policy.ts'

type ReadExtra =
  | 'check_for_updates'
  | 'source'
  | 'activity'
  | 'exports_unsubscribe_configs'
  | 'repository'
  | 'unused'
type WriteExtra = 'update_source' | 'upgrade'

interface ScopePolicy<Scope extends string> extends Policy {
  readonly values: Readonly<Record<Scope | 'any_key' | 'refused', Policy['values'][string]>>
}

function scope<Scope extends string>(asked: Scope): ScopePolicy<Scope> {
  const values: Record<string, Policy['values'][string]> = {
    [asked]: {
      says: `${asked}.`,
      evidence: 'assumed',
      source: 'observed §5.6: the natural rule, §8 row 12',
    },
    any_key: {
      says: 'None: any valid key.',
      evidence: 'assumed',
      source: 'the document is silent',
    },
    refused: {
      says: 'It refuses every key with scopes; only a key from before scopes may.',
      evidence: 'observed',
      source: 'observed §5.6, §9.1',
    },
  }
  return {
    line: 'Required scopes for the eight operations from check_for_updates through unused: not shown.',
    question: 'Which scope does the operation ask for?',
    values: values as ScopePolicy<Scope>['values'],
    documented: asked,
    live: 'refused',
  }
}

/** Which scope each of the eight extra plugin operations asks for. */
export const extraScopePolicies: Readonly<
  Record<`plugins.${ReadExtra}.scope`, ScopePolicy<'plugin:read'>> &
    Record<`plugins.${WriteExtra}.scope`, ScopePolicy<'plugin:write'>>
> = {
  'plugins.check_for_updates.scope': scope('plugin:read'),
  'plugins.source.scope': scope('plugin:read'),
  'plugins.update_source.scope': scope('plugin:write'),
  'plugins.upgrade.scope': scope('plugin:write'),
  'plugins.activity.scope': scope('plugin:read'),
  'plugins.exports_unsubscribe_configs.scope': scope('plugin:read'),
  'plugins.repository.scope': scope('plugin:read'),
  'plugins.unused.scope': scope('plugin:read'),
}

/** What the eight extra plugin operations do and answer. */
export const extraBodyPolicies = {
  'plugins.check_for_updates.body': {
    line: 'Check for updates: 200, Plugin shape',
    question: 'What does check_for_updates answer?',
    values: {
      plugin: {
        says: 'The plugin, its latest_tag refreshed from the catalogue.',
        evidence: 'documented',
        source: 'Check for updates: 200, Plugin shape',
      },
      wrapped: {
        says: 'The same, as {"plugin": …}.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13b',
      },
    },
    documented: 'plugin',
    live: 'wrapped',
  },
  'plugins.source.body': {
    line: 'Retrieve source: 200, Plugin shape',
    question: 'What does source answer?',
    values: {
      plugin: {
        says: 'The plugin.',
        evidence: 'documented',
        source: 'Retrieve source: 200, Plugin shape',
      },
      files: {
        says: 'Its source files: file name to text.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13b',
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.update_source.body': {
    line: 'Update source: same body fields as create; 200, Plugin shape',
    question: 'What does update_source take and answer?',
    values: {
      plugin: {
        says: 'Fields of the plugin, applied as an update does; answers the plugin.',
        evidence: 'documented',
        source: 'Update source: same body fields as create; 200, Plugin shape',
      },
      files: {
        says: 'Source files, kept, replaced or, by null, removed; answers all files.',
        evidence: 'observed',
        source: 'observed §5.6, §9.3',
      },
    },
    documented: 'plugin',
    live: 'files',
  },
  'plugins.upgrade.body': {
    line: 'Upgrade: same body fields as create',
    question: 'What does upgrade do with its body?',
    values: {
      validated: {
        says: "It is validated like create's, and changes nothing.",
        evidence: 'assumed',
        source: 'Upgrade: same body fields as create',
      },
      ignored: {
        says: 'It is not read.',
        evidence: 'observed',
        source: 'observed §5.6, §9.3',
      },
    },
    documented: 'validated',
    live: 'ignored',
  },
  'plugins.upgrade.effect': {
    line: 'the effect of upgrade on stored data, beyond the Plugin shape: not shown',
    question: 'What does upgrade change?',
    values: {
      tag_moves: {
        says: 'tag and latest_tag become the newest version in the catalogue.',
        evidence: 'assumed',
        source: 'the document is silent',
      },
      reinstall: {
        says: 'Unless plugin_type is source or local, everything the newest version brings.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 14',
      },
      nothing: {
        says: 'Nothing, as for source and local plugins.',
        evidence: 'observed',
        source: 'observed §5.6',
      },
    },
    documented: 'tag_moves',
    live: 'reinstall',
  },
  'plugins.activity.body': {
    line: 'Activity: 200, Plugin shape; response body, beyond the Plugin shape: not shown',
    question: 'What does activity answer?',
    values: {
      plugin: {
        says: 'The plugin of the organization that was changed last; 404 where there is none.',
        evidence: 'assumed',
        source: 'Activity: 200, Plugin shape',
      },
      page: {
        says: 'A page of log entries, newest first, with total_count.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13',
      },
      envelope: {
        says: 'The same entries in the pagination envelope of the lists.',
        evidence: 'assumed',
        source: 'observed §8 row 13, tolerate',
      },
    },
    documented: 'plugin',
    live: 'page',
  },
  'plugins.exports_unsubscribe_configs.body': {
    line: 'Exports unsubscribe configs: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does exports_unsubscribe_configs answer?',
    values: {
      plugin: {
        says: 'The first plugin with an export configuration; 404 where there is none.',
        evidence: 'assumed',
        source: 'Exports unsubscribe configs: 200, Plugin shape',
      },
      configurations: {
        says: 'A list of the enabled export configurations.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13',
      },
      envelope: {
        says: 'The same configurations in the pagination envelope of the lists.',
        evidence: 'assumed',
        source: 'observed §8 row 13, tolerate',
      },
    },
    documented: 'plugin',
    live: 'configurations',
  },
  'plugins.repository.body': {
    line: 'Repository: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does repository answer?',
    values: {
      plugin: {
        says: 'The installed plugin whose url stands first in the catalogue; 404 where there is none.',
        evidence: 'assumed',
        source: 'Repository: 200, Plugin shape',
      },
      catalogue: {
        says: 'The list of catalogue entries.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13',
      },
      envelope: {
        says: 'The same entries in the pagination envelope of the lists.',
        evidence: 'assumed',
        source: 'observed §8 row 13, tolerate',
      },
    },
    documented: 'plugin',
    live: 'catalogue',
  },
  'plugins.unused.body': {
    line: 'Unused: 200, Plugin shape; response body, beyond it: not shown',
    question: 'What does unused answer?',
    values: {
      plugin: {
        says: 'The first plugin without an enabled configuration; 404 where there is none.',
        evidence: 'assumed',
        source: 'Unused: 200, Plugin shape',
      },
      ids: {
        says: 'The list of their ids, over all organizations.',
        evidence: 'observed',
        source: 'observed §5.6, §8 row 13',
      },
      envelope: {
        says: 'The same ids in the pagination envelope of the lists.',
        evidence: 'assumed',
        source: 'observed §8 row 13, tolerate',
      },
    },
    documented: 'plugin',
    live: 'ids',
  },
} as const
