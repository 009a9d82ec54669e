/** What the document leaves open about annotations. */
export const annotationPolicies = {
  'annotations.creation_type.values': {
    line: 'creation_type: sample response value: USR. Full set of values: not shown.',
    question: 'Which values may creation_type have?',
    values: {
      observed: {
        says: 'USR and GIT.',
        evidence: 'observed',
        source: 'observed §4, §8 row 7',
      },
      any: {
        says: 'Any text.',
        evidence: 'assumed',
        source: 'observed §8 row 7, tolerate',
      },
    },
    documented: 'observed',
    live: 'observed',
  },
  'annotations.scope.values': {
    line: 'scope: sample response value: dashboard_item. Full set of values: not shown.',
    question: 'Which values may scope have?',
    values: {
      may_2024: {
        says: 'dashboard_item, project and organization.',
        evidence: 'observed',
        source: 'observed §4, §8 row 8',
      },
      july_2024: {
        says: 'Those of May 2024, and dashboard.',
        evidence: 'observed',
        source: 'observed §8 row 8',
      },
      ever_seen: {
        says: 'Those of July 2024, recording and tag.',
        evidence: 'observed',
        source: 'observed §4, §8 row 8',
      },
      any: {
        says: 'Any text.',
        evidence: 'assumed',
        source: 'observed §8 row 8, tolerate',
      },
    },
    documented: 'may_2024',
    live: 'may_2024',
  },
  'annotations.restore': {
    line: 'Reverting deleted to false: not shown.',
    question: 'Does PATCH with deleted set to false bring an annotation back?',
    values: {
      restores: {
        says: 'Yes: PATCH finds deleted annotations and changes them.',
        evidence: 'observed',
        source: 'observed §4, §8 row 10',
      },
      not_found: {
        says: 'No: PATCH answers 404 once an annotation is deleted.',
        evidence: 'assumed',
        source: 'observed §8 row 10, tolerate',
      },
    },
    documented: 'restores',
    live: 'restores',
  },
  'annotations.deleted.visibility': {
    line: 'Whether soft-deleted annotations are returned by list and retrieve: not shown.',
    question: 'Where are soft-deleted annotations seen?',
    values: {
      hidden: {
        says: 'Neither listed nor retrieved.',
        evidence: 'observed',
        source: 'observed §4, §8 row 11',
      },
      retrievable: {
        says: 'Retrieved by id, with deleted true, but not listed.',
        evidence: 'assumed',
        source: 'observed §8 row 11, tolerate',
      },
      listed: {
        says: 'Listed and retrieved, with deleted true.',
        evidence: 'assumed',
        source: 'observed §8 row 11, tolerate',
      },
    },
    documented: 'hidden',
    live: 'hidden',
  },
  'annotations.delete.status': {
    line: 'Status code returned by the annotation DELETE operation: not shown.',
    question: 'What does DELETE on an annotation answer?',
    values: {
      '405': {
        says: '405 in the envelope, whose detail tells to PATCH deleted to true, for any id.',
        evidence: 'documented',
        source: 'hard deletion is not allowed; the caller is told to use PATCH',
      },
      '405_empty': {
        says: '405 without a body or a content type, for any id.',
        evidence: 'observed',
        source: 'observed §4.5, §9.7',
      },
      '403': {
        says: '403 in the envelope, with the same detail.',
        evidence: 'assumed',
        source: 'observed §8 row 15, tolerate',
      },
      '404': {
        says: '404 in the envelope.',
        evidence: 'assumed',
        source: 'observed §8 row 15, tolerate',
      },
    },
    documented: '405',
    live: '405_empty',
  },
  'annotations.list.limit.default': {
    line: 'Default and maximum values of limit: not shown.',
    question: 'How many annotations does a page hold when no limit is asked for?',
    values: {
      integer: {
        says: 'That many rows.',
        evidence: 'observed',
        source: 'observed §3, §8 row 19',
        minimum: 1,
        maximum: 1_000_000,
      },
    },
    documented: 1000,
    live: 1000,
  },
  'annotations.search.reach': {
    line: 'List all annotations: search (string, search term)',
    question: 'Which operations read the query parameter search?',
    values: {
      list: {
        says: 'The list only.',
        evidence: 'documented',
        source: 'List all annotations: search (string, search term)',
      },
      every_lookup: {
        says: 'Retrieve and PATCH too: a row that does not match is not found.',
        evidence: 'observed',
        source: 'observed §4.1',
      },
    },
    documented: 'list',
    live: 'every_lookup',
  },
} as const
