/** What the document leaves open about the service as a whole: errors, lists, bodies, methods, limits. */
export const servicePolicies = {
  'errors.body': {
    line: 'Error status codes, error codes and error body shape: not shown.',
    question: 'What does the body of an error look like?',
    values: {
      envelope: {
        says: 'An object with type, code, detail and attr.',
        evidence: 'observed',
        source: 'observed §1, §8 row 18',
      },
      detail: {
        says: 'An object with detail only.',
        evidence: 'assumed',
        source: 'observed §8 row 18, tolerate',
      },
      list: {
        says: 'A list that holds the envelope.',
        evidence: 'assumed',
        source: 'observed §8 row 18, tolerate',
      },
      html: {
        says: 'A page of HTML, as proxies send.',
        evidence: 'assumed',
        source: 'observed §8 row 18, tolerate',
      },
      empty: {
        says: 'Nothing.',
        evidence: 'assumed',
        source: 'observed §8 row 18, tolerate',
      },
    },
    documented: 'envelope',
    live: 'envelope',
  },
  'fields.nullable': {
    line: 'Of most fields the document does not say whether they may be null.',
    question: 'Which fields of a body may be null?',
    values: {
      observed: {
        says: 'Those that were seen to accept it.',
        evidence: 'observed',
        source: 'observed §4, §5, §9.5',
      },
      documented: {
        says: 'Only those of which the document says "may be null".',
        evidence: 'documented',
        source: 'structured value, may be null',
      },
    },
    documented: 'observed',
    live: 'observed',
  },
  'lists.limit.maximum': {
    line: 'Default and maximum values of limit: not shown.',
    question: 'What is the most rows a page can hold?',
    values: {
      none: {
        says: 'There is no maximum.',
        evidence: 'observed',
        source: 'observed §3, §8 row 19',
      },
      '100': {
        says: 'A higher limit is taken as 100.',
        evidence: 'assumed',
        source: 'observed §8 row 19, tolerate',
      },
      '1000': {
        says: 'A higher limit is taken as 1000.',
        evidence: 'assumed',
        source: 'observed §8 row 19, tolerate',
      },
    },
    documented: 'none',
    live: 'none',
  },
  'lists.limit.invalid': {
    line: 'List operations accept limit (results per page) and offset (initial index).',
    question: 'What does a limit or an offset answer that is not a number in range?',
    values: {
      default: {
        says: 'The default is taken silently.',
        evidence: 'observed',
        source: 'observed §3, §8 row 19',
      },
      refused: {
        says: '400 that names the parameter.',
        evidence: 'assumed',
        source: 'observed §8 row 19, tolerate',
      },
    },
    documented: 'default',
    live: 'default',
  },
  'methods.put': {
    line: 'The document lists no PUT.',
    question: 'Does PUT work on a plugin and on an annotation?',
    values: {
      off: {
        says: 'No: 405.',
        evidence: 'documented',
        source: 'the tables of operations',
      },
      on: {
        says: 'Yes, by the rules of PATCH.',
        evidence: 'observed',
        source: 'observed §4.5, §9.8',
      },
    },
    documented: 'off',
    live: 'on',
  },
  'methods.undocumented': {
    line: 'Error status codes: not shown.',
    question: 'What does a method answer that a path does not have?',
    values: {
      '405': {
        says: '405 to any valid key.',
        evidence: 'observed',
        source: 'observed §1',
      },
      refused_to_scoped_keys: {
        says: '403 to a key with scopes, but for PATCH on a list; 405 to others.',
        evidence: 'observed',
        source: 'observed §1 note d',
      },
    },
    documented: '405',
    live: 'refused_to_scoped_keys',
  },
  'headers.allow': {
    line: 'Response headers: not shown.',
    question: 'Which answers carry Allow?',
    values: {
      on_405: {
        says: '405 and OPTIONS, with the methods that can succeed.',
        evidence: 'assumed',
        source: 'what HTTP asks for at least',
      },
      every_answer: {
        says: 'Every answer of a known path, with every method it has.',
        evidence: 'observed',
        source: 'observed §1',
      },
    },
    documented: 'on_405',
    live: 'every_answer',
  },
  'paths.current': {
    line: 'Path parameter project_id is a string identifying the project.',
    question: 'Does @current stand for the project or organization of the user?',
    values: {
      off: {
        says: 'No.',
        evidence: 'documented',
        source: 'the path parameters as described',
      },
      on: { says: 'Yes.', evidence: 'observed', source: 'observed §2' },
    },
    documented: 'off',
    live: 'on',
  },
  'paths.format': {
    line: 'All requests and responses are JSON over HTTP.',
    question: 'Do the suffix .json and the parameter format choose the form of an answer?',
    values: {
      off: {
        says: 'No.',
        evidence: 'documented',
        source: 'the paths as described',
      },
      on: {
        says: 'json is accepted, any other format answers 404.',
        evidence: 'observed',
        source: 'observed §7',
      },
    },
    documented: 'off',
    live: 'on',
  },
  'bodies.form': {
    line: 'Bodies are sent as JSON with header Content-Type: application/json.',
    question: 'Are form-encoded bodies accepted?',
    values: {
      refused: {
        says: 'No: 415.',
        evidence: 'documented',
        source: 'Bodies are sent as JSON',
      },
      accepted: {
        says: 'Yes.',
        evidence: 'observed',
        source: 'observed §4.2, §7',
      },
    },
    documented: 'refused',
    live: 'accepted',
  },
  'limits.rate': {
    line: 'Rate limits and size limits: not shown.',
    question: 'How many requests may a key send?',
    values: {
      off: {
        says: 'Any number.',
        evidence: 'observed',
        source: 'observed §7: only where an instance switches limiting on',
      },
      observed: {
        says: '480 a minute and 4,800 an hour for each key, then 429.',
        evidence: 'observed',
        source: 'observed §7, §8 row 20',
      },
    },
    documented: 'off',
    live: 'off',
  },
  'limits.retry_after': {
    line: 'Rate limits and size limits: not shown.',
    question: 'Does a 429 carry Retry-After?',
    values: {
      absent: {
        says: 'No: the wait is in its detail only.',
        evidence: 'observed',
        source: 'observed §1, §7',
      },
      present: {
        says: 'Yes, in seconds.',
        evidence: 'assumed',
        source: 'observed §8 row 20, tolerate',
      },
    },
    documented: 'absent',
    live: 'absent',
  },
  'limits.body': {
    line: 'Rate limits and size limits: not shown.',
    question: 'How many bytes may a body have before it answers 413?',
    values: {
      integer: {
        says: 'That many bytes.',
        evidence: 'assumed',
        source: 'observed §7: 20 MB configured, not applied to JSON',
        minimum: 1,
        maximum: 536_870_912,
      },
    },
    documented: 1_048_576,
    live: 20_971_520,
  },
  events: {
    line: 'Events, notifications and webhooks: not shown.',
    question: 'What does the service send by itself?',
    values: {
      none: {
        says: 'Nothing.',
        evidence: 'observed',
        source: 'observed §7, §8 row 17',
      },
    },
    documented: 'none',
    live: 'none',
    only: 'Nothing is delivered to a user of the API.',
  },
  versioning: {
    line: 'Versioning scheme: not shown.',
    question: 'Which fields does an annotation have besides the documented ones?',
    values: {
      none: {
        says: 'None.',
        evidence: 'documented',
        source: 'the table of fields',
      },
      july_2024: {
        says: 'dashboard_id, dashboard_name and insight_derived_name, all null, as added in July 2024.',
        evidence: 'observed',
        source: 'observed, Era; §8 row 21',
      },
    },
    documented: 'none',
    live: 'none',
  },
} as const
