/** Settings about API keys, and about the list of projects. */
export const keySettings = {
  'keys.missing.status': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    cites: ['keys.missing'],
    question: 'Which status does a request without a valid key return?',
    values: {
      '401': { observed: 'Unauthorized.', source: 'tests' },
      '403': { assumed: 'Forbidden.' },
    },
    documented: '401',
  },
  'keys.insufficient.status': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    cites: ['keys.missing'],
    question: 'Which status does a request return if its key lacks a permission?',
    values: {
      '403': { observed: 'Forbidden.', source: 'tests' },
      '404': {
        assumed: 'Not found, as in services that hide rows from keys without access.',
        source: 'the documentation does not say',
      },
    },
    documented: '403',
  },
  'keys.www_authenticate': {
    documentation: 'what happens on a missing or insufficient key: not shown',
    cites: ['keys.missing'],
    question: 'Does a 401 response have the header WWW-Authenticate?',
    values: {
      absent: { observed: 'No.' },
      present: { assumed: 'Yes: Bearer realm="api".' },
    },
    documented: 'absent',
  },
  'keys.write_implies_read': {
    documentation: 'Read operations (list, retrieve) require the read scope',
    cites: ['keys.read_and_write'],
    question: 'Does a write scope allow reading?',
    values: {
      no: { documented: 'No. Reading requires the read scope.' },
      yes: { observed: 'Yes.' },
    },
    documented: 'no',
    live: 'yes',
    cures: { no: 'Give the key the read scope, too.' },
  },
  'keys.empty_scopes': {
    documentation: 'Each operation requires an API key scope',
    cites: ['keys.scopes'],
    question: 'What may a key with an empty list of scopes do?',
    values: {
      nothing: { documented: 'Only what requires no scope.' },
      everything: { observed: 'Everything, like a key issued before scopes existed.' },
    },
    documented: 'nothing',
    live: 'everything',
    cures: { nothing: 'Give the key the scopes that the client needs.' },
  },
  'keys.places': {
    documentation: 'Each request carries the header Authorization with the value Bearer',
    cites: ['keys.header'],
    question: 'Where may a request send its key?',
    values: {
      header: { documented: 'In the header Authorization.' },
      header_body_query: {
        observed: 'In the header, else as personal_api_key in the body, else in the query.',
        source: 'tests',
      },
    },
    documented: 'header',
    live: 'header_body_query',
    cures: { header: 'Let the client send its key in the header Authorization.' },
  },
  'projects.list.scope': {
    documentation:
      'The project identifier is obtained from the project listing under /api/projects/.',
    cites: ['keys.projects', 'keys.scopes'],
    question: 'Which scope does GET /api/projects/ require?',
    values: {
      any_key: {
        assumed: 'None. Any valid key is accepted.',
        source: 'the documentation names no scope for projects',
      },
      'project:read': {
        observed: 'This scope.',
        source: 'read in the source of the live service from late 2024 on',
      },
      refused: {
        observed: 'It rejects every key with scopes.',
        source: 'read in the source of the live service of February 2024',
      },
    },
    documented: 'any_key',
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
      '100': { observed: 'At most 100.' },
      integer: { assumed: 'At most this number.', minimum: 1, maximum: 1_000_000 },
    },
    documented: 100,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
} as const
