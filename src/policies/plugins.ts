import type { PolicyDefinition } from './policy.ts'

/** The fields of a plugin whose structure is not documented. */
export type StructuredField = 'config_schema' | 'capabilities' | 'metrics' | 'public_jobs'

/** The structured fields that are never null in the live service. */
type NonNullField = 'config_schema' | 'capabilities'

interface PolicyOf<Value extends string> extends PolicyDefinition {
  readonly values: Readonly<Record<Value, PolicyDefinition['values'][string]>>
}

function structure(field: StructuredField, shape: string): PolicyOf<'any_json' | 'observed_shape'> {
  return {
    documentation: `${field}: structured value, may be null. structure: not shown`,
    question: `Which JSON values of ${field} does a plugin accept?`,
    values: {
      any_json: { meaning: 'Any.', evidence: 'observed' },
      observed_shape: {
        meaning: `${shape}. Any other value returns 400.`,
        evidence: 'assumed',
        source: 'the live service stores this shape, but does not require it',
      },
    },
    documented: 'any_json',
    live: 'any_json',
  }
}

function nullability(field: NonNullField): PolicyOf<'accepted' | 'refused'> {
  return {
    documentation: `${field}: structured value, may be null`,
    question: `May ${field} of a plugin be null in a body?`,
    values: {
      accepted: { meaning: 'Yes.', evidence: 'documented' },
      refused: { meaning: 'No, null returns 400.', evidence: 'observed' },
    },
    documented: 'accepted',
    live: 'refused',
  }
}

/** Policies about the structured fields of a plugin. */
export const structurePolicies: Readonly<
  Record<`plugins.${StructuredField}.structure`, ReturnType<typeof structure>> &
    Record<`plugins.${NonNullField}.null`, ReturnType<typeof nullability>>
> = {
  'plugins.config_schema.structure': structure(
    'config_schema',
    'A list of field objects, or an object that contains them by name',
  ),
  'plugins.capabilities.structure': structure(
    'capabilities',
    'An object with lists of names: methods, jobs and scheduled_tasks',
  ),
  'plugins.metrics.structure': structure('metrics', 'An object from name to sum, max or min'),
  'plugins.public_jobs.structure': structure(
    'public_jobs',
    'An object from job name to an object with a payload',
  ),
  'plugins.config_schema.null': nullability('config_schema'),
  'plugins.capabilities.null': nullability('capabilities'),
}

/** Policies about plugins. */
export const pluginPolicies = {
  'plugins.plugin_type.values': {
    documentation: 'plugin_type: sample response value: local. Allowed values: not shown.',
    question: 'Which values of plugin_type does a plugin accept?',
    values: {
      observed: {
        meaning: 'local, custom, repository and source.',
        evidence: 'observed',
        source: "seen in the live service's API schema of May 2024",
      },
      with_inline: {
        meaning: 'These and inline.',
        evidence: 'observed',
        source: "seen in the live service's API schema of July 2024",
      },
      any: { meaning: 'Any text.', evidence: 'assumed' },
    },
    documented: 'observed',
    live: 'observed',
  },
  'plugins.list.limit.default': {
    documentation: 'Default and maximum values of limit: not shown.',
    question: 'How many plugins does GET …/plugins return without limit?',
    values: {
      integer: {
        meaning: 'At most this number.',
        evidence: 'observed',
        minimum: 1,
        maximum: 1_000_000,
      },
    },
    documented: 100,
    live: 100,
  },
  'plugins.create.required': {
    documentation: 'Which request fields are required: not shown.',
    question: 'Which field does POST …/plugins require?',
    values: {
      none: {
        meaning: 'None.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      name: { meaning: 'name. Without it, the response is 400.', evidence: 'assumed' },
      url: { meaning: 'url. Without it, the response is 400.', evidence: 'assumed' },
    },
    documented: 'none',
    live: 'none',
  },
  'plugins.create.install': {
    documentation: 'url: appears in responses only',
    question: 'What does POST …/plugins do with url?',
    values: {
      stored_as_given: {
        meaning: 'It ignores url. The other fields are stored, and nothing is installed.',
        evidence: 'documented',
      },
      from_url: {
        meaning: 'It installs the plugin from url, unless plugin_type is source.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'stored_as_given',
    live: 'from_url',
  },
  'plugins.create.without_url': {
    documentation: 'Which request fields are required: not shown.',
    question: 'What does POST …/plugins return without url, if plugins are installed from it?',
    values: {
      server_error: { meaning: '500. The live service crashes.', evidence: 'observed' },
      refused: { meaning: '400 that names url.', evidence: 'assumed' },
      stored: {
        meaning: '201. The plugin is stored as sent.',
        evidence: 'assumed',
        source: 'the documentation requires no field',
      },
    },
    documented: 'server_error',
    live: 'server_error',
  },
  'plugins.states': {
    documentation: 'Plugin states and transitions: not shown.',
    question: 'Which states does a plugin have?',
    values: {
      none: { meaning: 'None. It exists until it is deleted.', evidence: 'observed' },
    },
    documented: 'none',
    live: 'none',
    only: 'Whether a plugin runs depends on its configurations, which the documentation does not cover.',
  },
  'plugins.delete.global': {
    documentation: 'Delete plugin: 204, no body',
    question: 'What does DELETE …/plugins/:id return for a global plugin?',
    values: {
      deleted: { meaning: '204, as for any other plugin.', evidence: 'documented' },
      refused: {
        meaning: '400. The plugin must be made local first.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'deleted',
    live: 'refused',
  },
  'plugins.global.visibility': {
    documentation: 'Plugins, scoped to an organization.',
    question: 'Which organizations can see a global plugin?',
    values: {
      own_organization: { meaning: 'Only its own.', evidence: 'documented' },
      every_organization: {
        meaning: 'All. Only its own organization can change it.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'own_organization',
    live: 'every_organization',
  },
  'plugins.access_level': {
    documentation: 'The documentation has no access level.',
    question: 'Does plugins_access_level of an organization restrict operations on plugins?',
    values: {
      ignored: {
        meaning: 'No.',
        evidence: 'documented',
        source: 'the documentation requires only a key with the scope of the operation',
      },
      enforced: {
        meaning: 'Yes. Reading requires level 3, writing level 6, and setting is_global level 9.',
        evidence: 'observed',
      },
    },
    documented: 'ignored',
    live: 'enforced',
  },
} as const
