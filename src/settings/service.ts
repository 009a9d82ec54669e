import { maxTextLength } from '../utils/json.ts'
import { anyNumber, assumed, fromSource, inFramework, inTests } from './evidence.ts'

/** Settings that affect all operations: errors, lists, bodies, methods, headers and limits. */
export const serviceSettings = {
  'errors.body': {
    cites: ['errors.all'],
    question: 'What does the body of an error contain?',
    values: {
      envelope: fromSource('An object with type, code, detail and attr.', inTests),
      detail: assumed('An object with detail only.'),
      list: assumed('A list of one object with type, code, detail and attr.'),
      html: assumed('An HTML page, as from a proxy.'),
      empty: assumed('Nothing.'),
    },
    default: 'envelope',
  },
  'fields.nullable': {
    documentation: 'For most fields the documentation does not say whether they may be null.',
    cites: [
      'plugin.config_schema',
      'plugin.capabilities',
      'operation.createAnnotation',
      'plugin.name',
      'plugin.tag',
    ],
    question: 'Which fields of a body may be null?',
    values: {
      most_fields: fromSource('Those that accept null in the live service.'),
      json_fields: assumed(
        'Only those that are documented as "may be null".',
        'the documentation says it of JSON fields, and nothing of the others',
      ),
    },
    default: 'most_fields',
    cures: {
      json_fields:
        'Let the client send null only for fields that the documentation says may be null.',
    },
  },
  'lists.limit.maximum': {
    cites: ['limits.values'],
    question: 'What is the largest limit of a list?',
    values: {
      none: fromSource('There is no maximum.'),
      '100': assumed('A higher limit counts as 100.'),
      '1000': assumed('A higher limit counts as 1000.'),
    },
    default: 'none',
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
  'lists.limit.invalid': {
    cites: ['limits.parameters'],
    question: 'What does a list return if limit or offset is invalid?',
    values: {
      default: fromSource('A page, as if the parameter were missing.', inFramework),
      refused: assumed('400 that names the parameter.'),
    },
    default: 'default',
    cures: { refused: 'Let the client send whole numbers as limit and offset.' },
  },
  'methods.put': {
    documentation: 'The documentation lists no PUT.',
    cites: ['service.whole'],
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    values: {
      off: assumed(
        'No, they return 405.',
        'the documentation lists no PUT, and shows no status of errors',
      ),
      on: fromSource('Yes, like PATCH.'),
    },
    default: 'off',
    live: 'on',
    cures: { off: 'Let the client send PATCH in place of PUT.' },
  },
  'methods.undocumented': {
    cites: ['errors.all'],
    question: 'What does a request return if its path does not have its method?',
    values: {
      '405': assumed('405 with any valid key.', 'the documentation shows no status of errors'),
      refused_to_scoped_keys: fromSource(
        '403 with a key that has scopes; for PATCH of the list of annotations, with one that lacks `annotation:write`. Otherwise 405.',
      ),
    },
    default: '405',
    live: 'refused_to_scoped_keys',
  },
  'headers.allow': {
    documentation: 'The documentation shows no header of a response.',
    cites: ['service.whole'],
    question: 'Which responses have the header Allow?',
    values: {
      on_405: assumed(
        '405 and OPTIONS, with the methods that can succeed, and unknown paths.',
        'HTTP requires it for 405 only',
      ),
      every_answer: fromSource(
        'All responses of a path of the API, with all methods of the path.',
        inFramework,
      ),
    },
    default: 'on_405',
    live: 'every_answer',
  },
  'paths.current': {
    cites: ['paths.project_id', 'paths.organization_id'],
    question: 'Is @current accepted in place of a project or organization id?',
    values: {
      off: assumed('No, it is not found.', 'the documentation describes ids only'),
      on: fromSource(
        'Yes. It means the current project or organization of the user.',
        "in the service's own tests and in four public clients",
      ),
    },
    default: 'on',
    cures: { off: 'Let the client send an id in place of @current.' },
  },
  'headers.location': {
    documentation: 'The documentation shows no header of a response.',
    cites: ['operation.createPlugin'],
    question: 'Does the response to POST …/plugins have the header Location?',
    values: {
      absent: assumed('No.', 'the documentation shows no header of a response'),
      url: fromSource('Yes: the url of the plugin, or the text None without one.'),
    },
    default: 'absent',
    live: 'url',
  },
  'bodies.form': {
    cites: ['bodies.json'],
    question: 'Are URL-encoded bodies accepted?',
    values: {
      refused: assumed(
        'No, they return 415.',
        'the documentation says that bodies are JSON, and shows no status of errors',
      ),
      accepted: fromSource('Yes.'),
    },
    default: 'refused',
    live: 'accepted',
    cures: { refused: 'Let the client send bodies as JSON.' },
  },
  'bodies.json': {
    cites: ['bodies.json'],
    question: 'Are NaN and Infinity, and the content types */* and application/*, accepted?',
    values: {
      strict: assumed(
        'No, they return 400 and 415.',
        'the documentation says that bodies are JSON, and shows no status of errors',
      ),
      lenient: fromSource('Yes, as numbers and as JSON.', inFramework),
    },
    default: 'strict',
    live: 'lenient',
    cures: {
      strict: 'Let the client send valid JSON, with the content type application/json.',
    },
  },
  'limits.rate': {
    cites: ['limits.rates'],
    question: 'How many requests may a key send?',
    values: {
      off: fromSource(
        'Any number.',
        "in the service's source, which limits only if it is configured to",
      ),
      '480_per_minute': fromSource(
        '480 per minute and 4,800 per hour. Further requests return 429.',
      ),
    },
    default: 'off',
    cures: {
      '480_per_minute':
        'Let the client wait as long as a 429 says, and then send the request again.',
    },
  },
  'limits.retry_after': {
    cites: ['limits.rates'],
    question: 'Does a 429 response have the header Retry-After?',
    values: {
      absent: fromSource('No. Only its message contains the wait.'),
      present: assumed('Yes, in seconds.'),
    },
    default: 'absent',
    cures: {
      any: 'Let the client read the wait from the header Retry-After, and without it from the message.',
    },
  },
  'limits.body': {
    cites: ['limits.rates'],
    question: 'How many bytes may a body have before the response is 413?',
    values: {
      integer: anyNumber(
        1,
        maxTextLength as number,
        'the live service configures 20 MB, but does not apply it to JSON',
      ),
    },
    default: 1_048_576,
    live: 20_971_520,
  },
} as const
