/** Policies about API keys, and about the list of projects. */
export const keyPolicies = {
  'keys.missing.status': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    question: 'Which status does a request without a valid key return?',
    values: {
      '401': {
        meaning: 'Unauthorized.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      '403': { meaning: 'Forbidden.', evidence: 'assumed' },
    },
    documented: '401',
    live: '401',
  },
  'keys.insufficient.status': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    question: 'Which status does a request return if its key lacks a permission?',
    values: {
      '403': {
        meaning: 'Forbidden.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      '404': {
        meaning: 'Not found, as in services that hide rows from keys without access.',
        evidence: 'assumed',
        source: 'the documentation does not say',
      },
    },
    documented: '403',
    live: '403',
  },
  'keys.www_authenticate': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    question: 'Does a 401 response have the header WWW-Authenticate?',
    values: {
      absent: { meaning: 'No.', evidence: 'observed' },
      present: { meaning: 'Yes: Bearer realm="api".', evidence: 'assumed' },
    },
    documented: 'absent',
    live: 'absent',
  },
  'keys.issuing': {
    documentation: 'How keys are issued: not shown.',
    question: 'Which operation issues keys?',
    values: {
      by_hand: {
        meaning: 'None. Keys come from the world, or from simulator.keys.issue().',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'by_hand',
    live: 'by_hand',
    only: 'The live service issues keys on a page for users who are logged in, never by an API key.',
  },
  'keys.lifetime': {
    documentation: 'their lifetime: not shown',
    question: 'When does a key expire?',
    values: {
      no_expiry: {
        meaning: 'Never. It is valid until it is revoked or its user is deactivated.',
        evidence: 'observed',
      },
    },
    documented: 'no_expiry',
    live: 'no_expiry',
    only: 'Keys of the live service do not expire.',
  },
  'keys.write_implies_read': {
    documentation: 'Read operations (list, retrieve) require the read scope',
    question: 'Does a write scope allow reading?',
    values: {
      no: { meaning: 'No. Reading requires the read scope.', evidence: 'documented' },
      yes: { meaning: 'Yes.', evidence: 'observed' },
    },
    documented: 'no',
    live: 'yes',
  },
  'keys.empty_scopes': {
    documentation: 'Each operation requires an API key scope',
    question: 'What may a key with an empty list of scopes do?',
    values: {
      nothing: { meaning: 'Only what requires no scope.', evidence: 'documented' },
      everything: {
        meaning: 'Everything, like a key issued before scopes existed.',
        evidence: 'observed',
      },
    },
    documented: 'nothing',
    live: 'everything',
  },
  'keys.places': {
    documentation: 'Each request carries the header Authorization with the value Bearer',
    question: 'Where may a request send its key?',
    values: {
      header: { meaning: 'In the header Authorization.', evidence: 'documented' },
      header_body_query: {
        meaning: 'In the header, else as personal_api_key in the body, else in the query.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
    },
    documented: 'header',
    live: 'header_body_query',
  },
  'projects.list.scope': {
    documentation:
      'The project identifier is obtained from the project listing under /api/projects/.',
    question: 'Which scope does GET /api/projects/ require?',
    values: {
      any_key: {
        meaning: 'None. Any valid key is accepted.',
        evidence: 'assumed',
        source: 'the documentation names no scope for projects',
      },
      'project:read': {
        meaning: 'This scope.',
        evidence: 'observed',
        source: 'read in the source of the live service from late 2024 on',
      },
      refused: {
        meaning: 'It rejects every key with scopes.',
        evidence: 'observed',
        source: 'read in the source of the live service of February 2024',
      },
    },
    documented: 'any_key',
    live: 'project:read',
  },
  'projects.list.limit.default': {
    documentation: 'Default and maximum values of limit: not shown.',
    question: 'How many projects does GET /api/projects/ return without limit?',
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
  'projects.id.not_a_number': {
    documentation: 'Path parameter project_id is a string identifying the project.',
    question: 'What does a request return if project_id in its path is not a number?',
    values: {
      project_not_found: {
        meaning: '404 with a message about the project.',
        evidence: 'observed',
      },
      not_found: {
        meaning: '404 with the usual message for a missing row.',
        evidence: 'observed',
        source: 'read in the source of the live service of February 2024',
      },
    },
    documented: 'project_not_found',
    live: 'project_not_found',
  },
} as const
