/** Policies that affect all operations: errors, lists, bodies, methods, headers and limits. */
export const servicePolicies = {
  'errors.body': {
    documentation: 'Error status codes, error codes and error body shape: not shown.',
    question: 'What does the body of an error contain?',
    values: {
      envelope: {
        meaning: 'An object with type, code, detail and attr.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      detail: { meaning: 'An object with detail only.', evidence: 'assumed' },
      list: {
        meaning: 'A list of one object with type, code, detail and attr.',
        evidence: 'assumed',
      },
      html: { meaning: 'An HTML page, as from a proxy.', evidence: 'assumed' },
      empty: { meaning: 'Nothing.', evidence: 'assumed' },
    },
    documented: 'envelope',
    live: 'envelope',
  },
  'fields.nullable': {
    documentation: 'For most fields the documentation does not say whether they may be null.',
    question: 'Which fields of a body may be null?',
    values: {
      observed: { meaning: 'Those that accept null in the live service.', evidence: 'observed' },
      documented: {
        meaning: 'Only those that are documented as "may be null".',
        evidence: 'documented',
        source: 'the documentation says: structured value, may be null',
      },
    },
    documented: 'observed',
    live: 'observed',
  },
  'lists.limit.maximum': {
    documentation: 'Default and maximum values of limit: not shown.',
    question: 'What is the largest limit of a list?',
    values: {
      none: { meaning: 'There is no maximum.', evidence: 'observed' },
      '100': { meaning: 'A higher limit counts as 100.', evidence: 'assumed' },
      '1000': { meaning: 'A higher limit counts as 1000.', evidence: 'assumed' },
    },
    documented: 'none',
    live: 'none',
  },
  'lists.limit.invalid': {
    documentation: 'List operations accept limit (results per page) and offset (initial index).',
    question: 'What does a list return if limit or offset is invalid?',
    values: {
      default: {
        meaning: 'A page, as if the parameter were missing.',
        evidence: 'observed',
        source: 'seen by running the framework of the live service',
      },
      refused: { meaning: '400 that names the parameter.', evidence: 'assumed' },
    },
    documented: 'default',
    live: 'default',
  },
  'methods.put': {
    documentation: 'The documentation lists no PUT.',
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    values: {
      off: {
        meaning: 'No, they return 405.',
        evidence: 'documented',
        source: 'the documentation lists no PUT',
      },
      on: { meaning: 'Yes, like PATCH.', evidence: 'observed' },
    },
    documented: 'off',
    live: 'on',
  },
  'methods.undocumented': {
    documentation: 'Error status codes: not shown.',
    question: 'What does a request return if its path does not have its method?',
    values: {
      '405': {
        meaning: '405 with any valid key.',
        evidence: 'observed',
        source: 'seen by running the framework of the live service',
      },
      refused_to_scoped_keys: {
        meaning: '403 with a key that has scopes, except for PATCH on a list. Otherwise 405.',
        evidence: 'observed',
      },
    },
    documented: '405',
    live: 'refused_to_scoped_keys',
  },
  'headers.allow': {
    documentation: 'Response headers: not shown.',
    question: 'Which responses have the header Allow?',
    values: {
      on_405: {
        meaning: '405 and OPTIONS, with the methods that can succeed.',
        evidence: 'assumed',
        source: 'HTTP requires it for 405 only',
      },
      every_answer: {
        meaning: 'All responses of a known path, with all methods of the path.',
        evidence: 'observed',
        source: 'seen by running the framework of the live service',
      },
    },
    documented: 'on_405',
    live: 'every_answer',
  },
  'paths.current': {
    documentation: 'Path parameter project_id is a string identifying the project.',
    question: 'Is @current accepted in place of a project or organization id?',
    values: {
      off: {
        meaning: 'No.',
        evidence: 'documented',
        source: 'the documentation describes ids only',
      },
      on: {
        meaning: 'Yes. It means the current project or organization of the user.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'off',
    live: 'on',
  },
  'paths.format': {
    documentation: 'All requests and responses are JSON over HTTP.',
    question: 'Do the suffix .json and the parameter format select the format of a response?',
    values: {
      off: { meaning: 'No.', evidence: 'documented' },
      on: {
        meaning: 'Yes. json is accepted, and any other format returns 404.',
        evidence: 'observed',
        source: 'seen by running the framework of the live service',
      },
    },
    documented: 'off',
    live: 'on',
  },
  'bodies.form': {
    documentation: 'Bodies are sent as JSON with header Content-Type: application/json.',
    question: 'Are form-encoded bodies accepted?',
    values: {
      refused: { meaning: 'No, they return 415.', evidence: 'documented' },
      accepted: { meaning: 'Yes.', evidence: 'observed' },
    },
    documented: 'refused',
    live: 'accepted',
  },
  'limits.rate': {
    documentation: 'Rate limits and size limits: not shown.',
    question: 'How many requests may a key send?',
    values: {
      off: {
        meaning: 'Any number.',
        evidence: 'observed',
        source: 'read in the source of the live service, which limits only if it is configured to',
      },
      observed: {
        meaning: '480 per minute and 4,800 per hour. Further requests return 429.',
        evidence: 'observed',
      },
    },
    documented: 'off',
    live: 'off',
  },
  'limits.retry_after': {
    documentation: 'Rate limits and size limits: not shown.',
    question: 'Does a 429 response have the header Retry-After?',
    values: {
      absent: { meaning: 'No. Only its message contains the wait.', evidence: 'observed' },
      present: { meaning: 'Yes, in seconds.', evidence: 'assumed' },
    },
    documented: 'absent',
    live: 'absent',
  },
  'limits.body': {
    documentation: 'Rate limits and size limits: not shown.',
    question: 'How many bytes may a body have before the response is 413?',
    values: {
      integer: {
        meaning: 'At most this number.',
        evidence: 'assumed',
        source: 'the live service configures 20 MB, but does not apply it to JSON',
        minimum: 1,
        maximum: 536_870_912,
      },
    },
    documented: 1_048_576,
    live: 20_971_520,
  },
  events: {
    documentation: 'Events, notifications and webhooks: not shown.',
    question: 'Which events does the service send?',
    values: {
      none: { meaning: 'None.', evidence: 'observed' },
    },
    documented: 'none',
    live: 'none',
    only: 'The live service sends nothing to users of the API.',
  },
  versioning: {
    documentation: 'Versioning scheme: not shown.',
    question: 'Which undocumented fields does an annotation have?',
    values: {
      none: {
        meaning: 'None.',
        evidence: 'documented',
        source: 'the documentation lists all fields',
      },
      july_2024: {
        meaning: 'dashboard_id, dashboard_name and insight_derived_name. All of them are null.',
        evidence: 'observed',
        source: "seen in the live service's API schema of July 2024",
      },
    },
    documented: 'none',
    live: 'none',
  },
} as const
