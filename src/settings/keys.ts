import { anyNumber, assumed, documented, fromSource, inTests } from './evidence.ts'
/** Settings about API keys, and about the list of projects. */
export const keySettings = {
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
      any_key: assumed(
        'None. Any valid key is accepted.',
        'the documentation names no scope for projects',
      ),
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
} as const
