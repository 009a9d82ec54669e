/** Policies about annotations. */
export const annotationPolicies = {
  'annotations.creation_type.values': {
    documentation: 'creation_type: sample response value: USR. Full set of values: not shown.',
    question: 'Which values of creation_type does an annotation accept?',
    values: {
      observed: {
        meaning: 'USR and GIT.',
        evidence: 'observed',
        source: "seen in the live service's API schema and its own tests",
      },
      any: { meaning: 'Any text.', evidence: 'assumed' },
    },
    documented: 'observed',
    live: 'observed',
  },
  'annotations.scope.values': {
    documentation: 'scope: sample response value: dashboard_item. Full set of values: not shown.',
    question: 'Which values of scope does an annotation accept?',
    values: {
      may_2024: {
        meaning: 'dashboard_item, project and organization.',
        evidence: 'observed',
        source: "seen in the live service's API schema of May 2024",
      },
      july_2024: {
        meaning: 'The values of May 2024 and dashboard.',
        evidence: 'observed',
        source: "seen in the live service's API schema of July 2024",
      },
      ever_seen: {
        meaning: 'The values of July 2024, recording and tag.',
        evidence: 'observed',
        source: 'read in older and newer versions of the source of the live service',
      },
      any: { meaning: 'Any text.', evidence: 'assumed' },
    },
    documented: 'may_2024',
    live: 'may_2024',
  },
  'annotations.restore': {
    documentation: 'Reverting deleted to false: not shown.',
    question: 'Does PATCH …/annotations/:id with deleted: false restore a deleted annotation?',
    values: {
      restores: {
        meaning: 'Yes. PATCH finds deleted annotations and can change them.',
        evidence: 'observed',
      },
      not_found: {
        meaning: 'No. PATCH returns 404 for a deleted annotation.',
        evidence: 'assumed',
      },
    },
    documented: 'restores',
    live: 'restores',
  },
  'annotations.deleted.visibility': {
    documentation: 'Whether soft-deleted annotations are returned by list and retrieve: not shown.',
    question: 'Do GET …/annotations and GET …/annotations/:id return deleted annotations?',
    values: {
      hidden: {
        meaning: 'No. The list omits them, and retrieving one returns 404.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      retrievable: {
        meaning: 'Only GET …/annotations/:id returns them, with deleted: true.',
        evidence: 'assumed',
      },
      listed: { meaning: 'Both return them, with deleted: true.', evidence: 'assumed' },
    },
    documented: 'hidden',
    live: 'hidden',
  },
  'annotations.delete.status': {
    documentation: 'Status code returned by the annotation DELETE operation: not shown.',
    question: 'What does DELETE …/annotations/:id return?',
    values: {
      '405': {
        meaning: 'A message to use PATCH instead, for any id.',
        evidence: 'documented',
        source:
          'the documentation says: hard deletion is not allowed; the caller is told to use PATCH',
      },
      '405_empty': {
        meaning: 'No body and no content type, for any id.',
        evidence: 'observed',
        source: "seen in the live service's own tests",
      },
      '403': { meaning: 'The same message, for any id.', evidence: 'assumed' },
      '404': { meaning: 'The error of a missing annotation, for any id.', evidence: 'assumed' },
    },
    documented: '405',
    live: '405_empty',
  },
  'annotations.list.limit.default': {
    documentation: 'Default and maximum values of limit: not shown.',
    question: 'How many annotations does GET …/annotations return without limit?',
    values: {
      integer: {
        meaning: 'At most this number.',
        evidence: 'observed',
        minimum: 1,
        maximum: 1_000_000,
      },
    },
    documented: 1000,
    live: 1000,
  },
  'annotations.search.reach': {
    documentation: 'List all annotations: search (string, search term)',
    question: 'Which operations on annotations apply the query parameter search?',
    values: {
      list: { meaning: 'Only GET …/annotations.', evidence: 'documented' },
      every_lookup: {
        meaning:
          'GET and PATCH …/annotations/:id, too: an annotation that does not match returns 404.',
        evidence: 'observed',
      },
    },
    documented: 'list',
    live: 'every_lookup',
  },
} as const
