/** What the document leaves open about API keys, and about the projects they reach. */
export const keyPolicies = {
  'keys.missing.status': {
    line: 'what happens on a missing or insufficient key: not shown',
    question: 'Which status does a request without a valid key get?',
    values: {
      '401': {
        says: '401.',
        evidence: 'observed',
        source: 'observed §1, §8 row 16',
      },
      '403': {
        says: '403.',
        evidence: 'assumed',
        source: 'observed §8 row 16, tolerate',
      },
    },
    documented: '401',
    live: '401',
  },
  'keys.insufficient.status': {
    line: 'what happens on a missing or insufficient key: not shown',
    question: 'Which status does a key get that may not do what it asks for?',
    values: {
      '403': {
        says: '403.',
        evidence: 'observed',
        source: 'observed §1, §8 row 16',
      },
      '404': {
        says: '404, as services do that hide what a key may not see.',
        evidence: 'assumed',
        source: 'the document is silent',
      },
    },
    documented: '403',
    live: '403',
  },
  'keys.www_authenticate': {
    line: 'what happens on a missing or insufficient key: not shown',
    question: 'Does a 401 carry WWW-Authenticate?',
    values: {
      absent: { says: 'No.', evidence: 'observed', source: 'observed §1' },
      present: {
        says: 'Yes: Bearer realm="api".',
        evidence: 'assumed',
        source: 'observed §8 row 16, tolerate',
      },
    },
    documented: 'absent',
    live: 'absent',
  },
  'keys.issuing': {
    line: 'How keys are issued: not shown.',
    question: 'Which operation issues a key?',
    values: {
      by_hand: {
        says: 'None: keys come from the world, or from simulator.keys.issue().',
        evidence: 'observed',
        source: 'observed §2, §8 row 16',
      },
    },
    documented: 'by_hand',
    live: 'by_hand',
    only: 'The service issues keys on a page for people who are logged in, never to a key.',
  },
  'keys.lifetime': {
    line: 'their lifetime: not shown',
    question: 'When does a key end?',
    values: {
      no_expiry: {
        says: 'Never by itself: by being removed, or with its user made inactive.',
        evidence: 'observed',
        source: 'observed §2, §8 row 16',
      },
    },
    documented: 'no_expiry',
    live: 'no_expiry',
    only: 'Keys of the service have no expiry.',
  },
  'keys.write_implies_read': {
    line: 'Read operations (list, retrieve) require the read scope',
    question: 'Does a write scope allow reading?',
    values: {
      no: {
        says: 'No: reading asks for the read scope.',
        evidence: 'documented',
        source: 'Read operations (list, retrieve) require the read scope',
      },
      yes: { says: 'Yes.', evidence: 'observed', source: 'observed §2' },
    },
    documented: 'no',
    live: 'yes',
  },
  'keys.empty_scopes': {
    line: 'Each operation requires an API key scope',
    question: 'What may a key do whose list of scopes is empty?',
    values: {
      nothing: {
        says: 'Nothing that asks for a scope.',
        evidence: 'documented',
        source: 'Each operation requires an API key scope',
      },
      everything: {
        says: 'Everything, like a key from before scopes.',
        evidence: 'observed',
        source: 'observed §2',
      },
    },
    documented: 'nothing',
    live: 'everything',
  },
  'keys.places': {
    line: 'Each request carries the header Authorization with the value Bearer',
    question: 'Where is a key looked for?',
    values: {
      header: {
        says: 'In the header Authorization.',
        evidence: 'documented',
        source: 'Each request carries the header Authorization',
      },
      header_body_query: {
        says: 'In the header, then as personal_api_key in the body, then in the query.',
        evidence: 'observed',
        source: 'observed §2',
      },
    },
    documented: 'header',
    live: 'header_body_query',
  },
  'projects.list.scope': {
    line: 'The project identifier is obtained from the project listing under /api/projects/.',
    question: 'Which scope does the project listing ask for?',
    values: {
      any_key: {
        says: 'None: any valid key.',
        evidence: 'assumed',
        source: 'observed §6, the scopes shown name no project',
      },
      'project:read': {
        says: 'project:read.',
        evidence: 'observed',
        source: 'observed §6',
      },
      refused: {
        says: 'It refuses every key with scopes, as in February 2024.',
        evidence: 'observed',
        source: 'observed §6',
      },
    },
    documented: 'any_key',
    live: 'project:read',
  },
  'projects.list.limit.default': {
    line: 'Default and maximum values of limit: not shown.',
    question: 'How many projects does a page hold when no limit is asked for?',
    values: {
      integer: {
        says: 'That many rows.',
        evidence: 'observed',
        source: 'observed §6',
        minimum: 1,
        maximum: 1_000_000,
      },
    },
    documented: 100,
    live: 100,
  },
  'projects.id.not_a_number': {
    line: 'Path parameter project_id is a string identifying the project.',
    question: 'What does a project id answer that is not a number?',
    values: {
      project_not_found: {
        says: '404, and its detail is about the project.',
        evidence: 'observed',
        source: 'observed §1, §9.6',
      },
      not_found: {
        says: '404 with the detail of any missing row, as in February 2024.',
        evidence: 'observed',
        source: 'observed §1',
      },
    },
    documented: 'project_not_found',
    live: 'project_not_found',
  },
} as const
