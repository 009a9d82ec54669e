import { maxTextLength } from '../utils/json.ts'
import { anyNumber, assumed, documented, fromSource, inFramework, inTests } from './evidence.ts'

/** Settings that affect all operations: keys, errors, lists, bodies, methods, headers and limits. */
export const serviceSettings = {
  'keys.missing.status': {
    cites: ['keys.missing'],
    question: 'Which status does a request without a valid key return?',
    values: {
      '401': fromSource('Unauthorized.', inTests),
      '403': assumed('Forbidden.'),
    },
    default: '401',
  },
  'keys.insufficient.status': {
    cites: ['keys.missing'],
    question: 'Which status does a request return if its key lacks a permission?',
    values: {
      '403': fromSource('Forbidden.', inTests),
      '404': assumed(
        'Not found, as in services that hide rows from keys without access.',
        'the documentation does not say',
      ),
    },
    default: '403',
  },
  'keys.www_authenticate': {
    cites: ['keys.missing'],
    question: 'Does a 401 response have the header WWW-Authenticate?',
    values: {
      absent: fromSource('No.'),
      present: assumed('Yes: Bearer realm="api".'),
    },
    default: 'absent',
  },
  'keys.write_implies_read': {
    cites: ['keys.read_and_write'],
    question: 'Does a write scope allow reading?',
    values: {
      no: documented('No. Reading requires the read scope.', 'keys.read_and_write'),
      yes: fromSource('Yes.'),
    },
    default: 'no',
    live: 'yes',
    cures: { no: 'Give the key the read scope, too.' },
  },
  'keys.empty_scopes': {
    cites: ['keys.scopes'],
    question: 'What may a key with an empty list of scopes do?',
    values: {
      nothing: documented('Only what requires no scope.', 'keys.scopes'),
      everything: fromSource('Everything, like a key issued before scopes existed.'),
    },
    default: 'nothing',
    live: 'everything',
    cures: { nothing: 'Give the key the scopes that the client needs.' },
  },
  'keys.places': {
    cites: ['keys.header'],
    question: 'Where may a request send its key?',
    values: {
      header: documented('In the header Authorization.', 'keys.header'),
      header_body_query: fromSource(
        'In the header, else as personal_api_key in the body, else in the query.',
        inTests,
      ),
    },
    default: 'header',
    live: 'header_body_query',
    cures: { header: 'Let the client send its key in the header Authorization.' },
  },
  'projects.list.scope': {
    cites: ['keys.projects', 'keys.scopes'],
    question: 'Which scope does GET /api/projects/ require?',
    values: {
      any_key: assumed('None.', 'the documentation names no scope for projects'),
      'project:read': fromSource('This scope.', "in the service's source from late 2024 on"),
      refused: fromSource(
        'It rejects every key with scopes.',
        "in the service's source of February 2024",
      ),
    },
    default: 'any_key',
    live: 'project:read',
    cures: {
      'project:read': 'Give the key the scope project:read.',
      refused:
        'Let the client work without the list of projects: a key with scopes may be refused.',
    },
  },
  'projects.list.limit.default': {
    cites: ['limits.values'],
    question: 'How many projects does GET /api/projects/ return without limit?',
    values: {
      '100': fromSource('At most 100.'),
      integer: anyNumber(1, 1_000_000),
    },
    default: 100,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
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
    cites: [
      'absent.null',
      'plugin.config_schema',
      'plugin.capabilities',
      'operation.createAnnotation',
      'plugin.name',
      'plugin.tag',
    ],
    question: 'Which fields of a body, besides config_schema and capabilities, may be null?',
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
      default: fromSource(
        'A page, as if the parameter were missing. For activity see plugins.other.body.',
        inFramework,
      ),
      refused: assumed('400 that names the parameter.'),
    },
    default: 'default',
    cures: { refused: 'Let the client send whole numbers, and a limit of at least 1.' },
  },
  'methods.put': {
    cites: ['absent.put', 'operation.updatePlugin', 'errors.all'],
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    values: {
      off: assumed(
        'No, they return 405.',
        'the documentation lists no PUT, and shows no status of errors',
      ),
      on: fromSource('Yes, like PATCH, but only for annotations that GET returns.'),
    },
    default: 'off',
    live: 'on',
    cures: { off: 'Let the client send PATCH in place of PUT.' },
  },
  'methods.undocumented': {
    cites: ['errors.all'],
    question: 'What does a request return if its path does not have its method?',
    values: {
      '405': assumed(
        '405, whatever the scopes of the key.',
        'the documentation shows no status of errors',
      ),
      refused_to_scoped_keys: fromSource(
        '405 with a key that has no scopes and may do everything; for PATCH of a list, also with its write scope. Otherwise 403.',
      ),
    },
    default: '405',
    live: 'refused_to_scoped_keys',
  },
  'headers.allow': {
    cites: ['absent.headers'],
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
    cites: ['absent.headers', 'operation.createPlugin'],
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
      lenient: fromSource('Yes, as JSON. Only texts accept the numbers.', inFramework),
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
