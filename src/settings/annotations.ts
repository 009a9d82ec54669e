export const annotationSettings = {
  'annotations.creation_type.values': {
    documentation: 'creation_type: sample response value: USR. Full set of values: not shown.',
    cites: ['annotation.creation_type'],
    question: 'Which values of creation_type does an annotation accept?',
    values: {
      observed: {
        observed: 'USR and GIT.',
        source: "seen in the live service's API schema and its own tests",
      },
      any: { assumed: 'Any text.' },
    },
    documented: 'observed',
  },
  'annotations.scope.values': {
    documentation: 'scope: sample response value: dashboard_item. Full set of values: not shown.',
    cites: ['annotation.scope'],
    question: 'Which values of scope does an annotation accept?',
    values: {
      may_2024: {
        observed: 'dashboard_item, project and organization.',
        source: "seen in the live service's API schema of 2024-05",
      },
      july_2024: {
        observed: 'The values of May 2024 and dashboard.',
        source: "seen in the live service's API schema of 2024-07",
      },
      ever_seen: {
        observed: 'The values of July 2024, recording and tag.',
        source: 'read in older and newer versions of the source of the live service',
      },
      any: { assumed: 'Any text.' },
    },
    documented: 'may_2024',
  },
  'annotations.restore': {
    cites: ['states.annotation.restore'],
    question: 'Does PATCH …/annotations/:id with deleted: false restore a deleted annotation?',
    values: {
      restores: { observed: 'Yes. PATCH finds deleted annotations and can change them.' },
      not_found: { assumed: 'No. PATCH returns 404 for a deleted annotation.' },
    },
    documented: 'restores',
  },
  'annotations.deleted.visibility': {
    cites: ['states.annotation.visibility'],
    question: 'Do GET …/annotations and GET …/annotations/:id return deleted annotations?',
    values: {
      hidden: {
        observed: 'No. The list omits them, and retrieving one returns 404.',
        source: 'tests',
      },
      retrievable: { assumed: 'Only GET …/annotations/:id returns them, with deleted: true.' },
      listed: { assumed: 'Both return them, with deleted: true.' },
    },
    documented: 'hidden',
  },
  'annotations.delete.status': {
    documentation: 'Status code returned by the annotation DELETE operation: not shown.',
    cites: [
      'states.annotation.hard_delete',
      'operation.deleteAnnotation',
      'annotations.delete_status',
    ],
    question: 'What does DELETE …/annotations/:id return?',
    values: {
      '405': {
        assumed: 'A message to use PATCH instead, for any id.',
        source: 'the documentation says that the caller is told to use PATCH, and shows no status',
      },
      '405_empty': { observed: 'No body and no content type, for any id.', source: 'tests' },
      '403': { assumed: 'The same message, for any id.' },
      '404': { assumed: 'The error of a missing annotation, for any id.' },
    },
    documented: '405',
    live: '405_empty',
  },
  'annotations.list.limit.default': {
    cites: ['limits.values'],
    question: 'How many annotations does GET …/annotations return without limit?',
    values: {
      '1000': { observed: 'At most 1,000.' },
      integer: { assumed: 'At most this number.', minimum: 1, maximum: 1_000_000 },
    },
    documented: 1000,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
  'annotations.search.reach': {
    documentation: 'List all annotations: search (string, search term)',
    cites: ['operation.listAnnotations', 'operation.retrieveAnnotation'],
    question: 'Which operations on annotations apply the query parameter search?',
    values: {
      list: { documented: 'Only GET …/annotations.' },
      every_lookup: {
        observed:
          'GET and PATCH …/annotations/:id, too: an annotation that does not match returns 404.',
      },
    },
    documented: 'list',
    live: 'every_lookup',
    cures: { every_lookup: 'Let the client send search only with the list.' },
  },
} as const
