import type { Policy } from './policy.ts'

/** The four fields of a plugin whose structure the document does not show. */
export type StructuredField = 'config_schema' | 'capabilities' | 'metrics' | 'public_jobs'

interface StructurePolicy extends Policy {
  readonly values: Readonly<Record<'any_json' | 'observed_shape', Policy['values'][string]>>
}

interface NullPolicy extends Policy {
  readonly values: Readonly<Record<'accepted' | 'refused', Policy['values'][string]>>
}

function structure(field: StructuredField, shape: string, row: number): StructurePolicy {
  return {
    line: `${field}: structured value, may be null. structure: not shown`,
    question: `Which JSON values may ${field} have?`,
    values: {
      any_json: { says: 'Any.', evidence: 'observed', source: 'observed §5' },
      observed_shape: {
        says: `${shape}; else 400.`,
        evidence: 'assumed',
        source: `observed §5, §8 row ${row}`,
      },
    },
    documented: 'any_json',
    live: 'any_json',
  }
}

function nullability(field: 'config_schema' | 'capabilities'): NullPolicy {
  return {
    line: `${field}: structured value, may be null`,
    question: `May ${field} be null in a body?`,
    values: {
      accepted: {
        says: 'Yes.',
        evidence: 'documented',
        source: 'structured value, may be null',
      },
      refused: {
        says: 'No: 400.',
        evidence: 'observed',
        source: 'observed §5, §9.2',
      },
    },
    documented: 'accepted',
    live: 'refused',
  }
}

/** What the document leaves open about the structured fields of a plugin. */
export const structurePolicies: Readonly<
  Record<`plugins.${StructuredField}.structure`, StructurePolicy> &
    Record<`plugins.${'config_schema' | 'capabilities'}.null`, NullPolicy>
> = {
  'plugins.config_schema.structure': structure(
    'config_schema',
    'A list of field objects, or an object of them',
    2,
  ),
  'plugins.capabilities.structure': structure(
    'capabilities',
    'An object of lists of names: methods, jobs, scheduled_tasks',
    3,
  ),
  'plugins.metrics.structure': structure('metrics', 'An object of sum, max or min by name', 4),
  'plugins.public_jobs.structure': structure(
    'public_jobs',
    'An object of jobs by name, each with a payload',
    5,
  ),
  'plugins.config_schema.null': nullability('config_schema'),
  'plugins.capabilities.null': nullability('capabilities'),
}

/** What the document leaves open about plugins. */
export const pluginPolicies = {
  'plugins.plugin_type.values': {
    line: 'plugin_type: sample response value: local. Allowed values: not shown.',
    question: 'Which values may plugin_type have?',
    values: {
      observed: {
        says: 'local, custom, repository and source.',
        evidence: 'observed',
        source: 'observed §5, §8 row 1',
      },
      with_inline: {
        says: 'Those and inline, as from July 2024.',
        evidence: 'observed',
        source: 'observed §5, §8 row 1',
      },
      any: {
        says: 'Any text.',
        evidence: 'assumed',
        source: 'observed §8 row 1, tolerate',
      },
    },
    documented: 'observed',
    live: 'observed',
  },
  'plugins.list.limit.default': {
    line: 'Default and maximum values of limit: not shown.',
    question: 'How many plugins does a page hold when no limit is asked for?',
    values: {
      integer: {
        says: 'That many rows.',
        evidence: 'observed',
        source: 'observed §3, §8 row 19',
        minimum: 1,
        maximum: 1_000_000,
      },
    },
    documented: 100,
    live: 100,
  },
  'plugins.create.required': {
    line: 'Which request fields are required: not shown.',
    question: 'Which field must a body have to create a plugin?',
    values: {
      none: {
        says: 'None.',
        evidence: 'observed',
        source: 'observed §5, §8 row 6',
      },
      name: {
        says: 'name: else 400.',
        evidence: 'assumed',
        source: 'observed §8 row 6, tolerate',
      },
      url: {
        says: 'url: else 400.',
        evidence: 'assumed',
        source: 'observed §8 row 6, tolerate',
      },
    },
    documented: 'none',
    live: 'none',
  },
  'plugins.create.install': {
    line: 'url: appears in responses only',
    question: 'What does creating a plugin do with its url?',
    values: {
      stored_as_given: {
        says: 'The body is stored as given; url in it is ignored and nothing is installed.',
        evidence: 'documented',
        source: 'url: appears in responses only',
      },
      from_url: {
        says: 'Unless plugin_type is source, the plugin is installed from url.',
        evidence: 'observed',
        source: 'observed §5.2, §9.4',
      },
    },
    documented: 'stored_as_given',
    live: 'from_url',
  },
  'plugins.create.without_url': {
    line: 'Which request fields are required: not shown.',
    question: 'When plugins are installed from a url, what does a body without one answer?',
    values: {
      server_error: {
        says: '500, as the service crashes.',
        evidence: 'observed',
        source: 'observed §5.2',
      },
      refused: {
        says: '400 that names url.',
        evidence: 'assumed',
        source: 'observed §8 row 6, tolerate',
      },
      stored: {
        says: '201: the plugin is stored as given.',
        evidence: 'assumed',
        source: 'the document requires nothing',
      },
    },
    documented: 'server_error',
    live: 'server_error',
  },
  'plugins.states': {
    line: 'Plugin states and transitions: not shown.',
    question: 'Which states has a plugin?',
    values: {
      none: {
        says: 'It exists or it is removed.',
        evidence: 'observed',
        source: 'observed §7, §8 row 9',
      },
    },
    documented: 'none',
    live: 'none',
    only: 'Whether a plugin runs is a property of its configurations, which the document does not cover.',
  },
  'plugins.delete.global': {
    line: 'Delete plugin: 204, no body',
    question: 'What does deleting a global plugin answer?',
    values: {
      deleted: {
        says: '204, like any other.',
        evidence: 'documented',
        source: 'Delete plugin: 204, no body',
      },
      refused: {
        says: '400: it has to be made local first.',
        evidence: 'observed',
        source: 'observed §5.5',
      },
    },
    documented: 'deleted',
    live: 'refused',
  },
  'plugins.global.visibility': {
    line: 'Plugins, scoped to an organization.',
    question: 'Who sees a global plugin?',
    values: {
      own_organization: {
        says: 'Its own organization.',
        evidence: 'documented',
        source: 'Plugins, scoped to an organization.',
      },
      every_organization: {
        says: 'Every organization; only its own may change it.',
        evidence: 'observed',
        source: 'observed §5, §5.3 to §5.5',
      },
    },
    documented: 'own_organization',
    live: 'every_organization',
  },
  'plugins.access_level': {
    line: 'The document knows no access level.',
    question: "Does the organization's plugins_access_level decide who may read and write plugins?",
    values: {
      ignored: {
        says: 'No.',
        evidence: 'documented',
        source: 'Authentication, 1 to 3',
      },
      enforced: {
        says: 'Yes: reading asks for 3, writing for 6, is_global for 9.',
        evidence: 'observed',
        source: 'observed §5, §9.9',
      },
    },
    documented: 'ignored',
    live: 'enforced',
  },
} as const
