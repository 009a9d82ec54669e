import { anyNumber, assumed, documented, fromSource, inTests } from './evidence.ts'
/** Settings about plugins and their fields. */
export const pluginSettings = {
  'plugins.plugin_type.values': {
    cites: ['plugin.plugin_type'],
    question: 'Which values of plugin_type does a plugin accept?',
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
        'It installs the plugin from url, unless plugin_type is source. Without url, it returns 500: the live service crashes.',
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
      ignored: assumed('No.', 'the documentation names no access level'),
      enforced: fromSource(
        'Yes. Reading requires level 3, writing level 6, and value is_global level 9.',
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
      any_json: assumed('Any.', "the service's source accepts any JSON of config_schema only"),
      known_shape: assumed(
        'config_schema: a list of field objects, or an object that contains them by name. capabilities: an object with lists of names: methods, jobs and scheduled_tasks. metrics: an object from name to sum, max or min. public_jobs: an object from job name to an object with a payload. Any other value returns 400.',
        'the live service stores these shapes, but does not require them',
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
} as const
