/** Settings about plugins and their fields. */
export const pluginSettings = {
  'plugins.plugin_type.values': {
    documentation: 'plugin_type: sample response value: local. Allowed values: not shown.',
    cites: ['plugin.plugin_type'],
    question: 'Which values of plugin_type does a plugin accept?',
    values: {
      observed: {
        observed: 'local, custom, repository and source.',
        source: "seen in the live service's API schema of 2024-05",
      },
      with_inline: {
        observed: 'These and inline.',
        source: "seen in the live service's API schema of 2024-07",
      },
      any: { assumed: 'Any text.' },
    },
    documented: 'observed',
  },
  'plugins.list.limit.default': {
    cites: ['limits.values'],
    question: 'How many plugins does GET …/plugins return without limit?',
    values: {
      '100': { observed: 'At most 100.' },
      integer: { assumed: 'At most this number.', minimum: 1, maximum: 1_000_000 },
    },
    documented: 100,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
  'plugins.create.required': {
    cites: ['plugin.required'],
    question: 'Which field does POST …/plugins require?',
    values: {
      none: { observed: 'None.', source: 'tests' },
      name: { assumed: 'name. Without it, the response is 400.' },
      url: { assumed: 'url. Without it, the response is 400.' },
    },
    documented: 'none',
    cures: { name: 'Let the client send a name.', url: 'Let the client send a url.' },
  },
  'plugins.create.install': {
    documentation: 'url: appears in responses only',
    cites: ['plugin.url', 'operation.createPlugin'],
    question: 'What does POST …/plugins do with url?',
    values: {
      stored_as_given: {
        assumed: 'It ignores url. The other fields are stored, and nothing is installed.',
        source: 'the documentation says that url appears in responses only',
      },
      from_url: {
        observed:
          'It installs the plugin from url, unless plugin_type is source. Without url, it returns 500: the live service crashes.',
        source: 'tests',
      },
    },
    documented: 'stored_as_given',
    live: 'from_url',
  },
  'plugins.delete.global': {
    documentation: 'Delete plugin: 204, no body',
    cites: ['operation.deletePlugin'],
    question: 'What does DELETE …/plugins/:id return for a global plugin?',
    values: {
      deleted: { documented: '204, as for any other plugin.' },
      refused: { observed: '400. The plugin must be made local first.', source: 'tests' },
    },
    documented: 'deleted',
    live: 'refused',
    cures: { refused: 'Let the client make a plugin local before it deletes it.' },
  },
  'plugins.global.visibility': {
    documentation: 'Plugins, scoped to an organization.',
    cites: ['service.plugins'],
    question: 'Which organizations can see a global plugin?',
    values: {
      own_organization: { documented: 'Only its own.' },
      every_organization: {
        observed:
          'All. Only its own organization can change it. Retrieving it requires no membership.',
        source: 'tests',
      },
    },
    documented: 'own_organization',
    live: 'every_organization',
  },
  'plugins.access_level': {
    documentation: 'The documentation has no access level.',
    cites: [
      'keys.scopes',
      'operation.listPlugins',
      'operation.createPlugin',
      'operation.retrievePlugin',
      'operation.updatePlugin',
      'operation.deletePlugin',
    ],
    question: 'Does plugins_access_level of an organization restrict operations on plugins?',
    values: {
      ignored: { assumed: 'No.', source: 'the documentation names no access level' },
      enforced: {
        observed: 'Yes. Reading requires level 3, writing level 6, and value is_global level 9.',
      },
    },
    documented: 'ignored',
    live: 'enforced',
  },
  'plugins.json_fields.structure': {
    documentation:
      'config_schema, capabilities, metrics and public_jobs: structured value, may be null. structure: not shown',
    cites: ['plugin.config_schema', 'plugin.capabilities', 'plugin.metrics', 'plugin.public_jobs'],
    question:
      'Which JSON values of config_schema, capabilities, metrics and public_jobs does a plugin accept?',
    values: {
      any_json: {
        assumed: 'Any.',
        source: 'the live service was seen to accept any JSON of config_schema only',
      },
      observed_shape: {
        assumed:
          'config_schema: a list of field objects, or an object that contains them by name. capabilities: an object with lists of names: methods, jobs and scheduled_tasks. metrics: an object from name to sum, max or min. public_jobs: an object from job name to an object with a payload. Any other value returns 400.',
        source: 'the live service stores these shapes, but does not require them',
      },
    },
    documented: 'any_json',
  },
  'plugins.json_fields.null': {
    documentation: 'config_schema and capabilities: structured value, may be null',
    cites: ['plugin.config_schema', 'plugin.capabilities'],
    question: 'May config_schema and capabilities of a plugin be null in a body?',
    values: {
      accepted: { documented: 'Yes.' },
      refused: { observed: 'No, null returns 400.' },
    },
    documented: 'accepted',
    live: 'refused',
    cures: { refused: 'Let the client leave these fields out in place of null.' },
  },
} as const
