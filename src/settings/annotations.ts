import { anyNumber, assumed, documented, fromSource, inTests } from './evidence.ts'
export const annotationSettings = {
  'annotations.creation_type.values': {
    cites: ['annotation.creation_type'],
    question: 'Which values of creation_type does an annotation accept?',
    values: {
      usr_git: fromSource('USR and GIT.', "in the service's API schema and its own tests"),
      any: assumed('Any text.'),
    },
    default: 'usr_git',
  },
  'annotations.scope.values': {
    cites: ['annotation.scope'],
    question: 'Which values of scope does an annotation accept?',
    values: {
      may_2024: fromSource(
        'dashboard_item, project and organization.',
        "in the service's API schema of 2024-05",
      ),
      july_2024: fromSource(
        'The values of May 2024 and dashboard.',
        "in the service's API schema of 2024-07",
      ),
      ever_seen: fromSource(
        'The values of July 2024, recording and tag.',
        "in older and newer versions of the service's source",
      ),
      any: assumed('Any text.'),
    },
    default: 'may_2024',
  },
  'annotations.restore': {
    cites: ['states.annotation.restore'],
    question: 'Does PATCH …/annotations/:id with deleted: false restore a deleted annotation?',
    values: {
      restores: fromSource('Yes. PATCH finds deleted annotations and can change them.'),
      not_found: assumed('No. PATCH returns 404 for a deleted annotation.'),
    },
    default: 'restores',
  },
  'annotations.deleted.visibility': {
    cites: ['states.annotation.visibility'],
    question: 'Do GET …/annotations and GET …/annotations/:id return deleted annotations?',
    values: {
      hidden: fromSource('No. The list omits them, and retrieving one returns 404.', inTests),
      retrievable: assumed('Only GET …/annotations/:id returns them, with deleted: true.'),
      listed: assumed('Both return them, with deleted: true.'),
    },
    default: 'hidden',
  },
  'annotations.delete.status': {
    cites: [
      'annotations.delete_status',
      'states.annotation.hard_delete',
      'operation.deleteAnnotation',
    ],
    question: 'What does DELETE …/annotations/:id return?',
    values: {
      '405': assumed(
        'A message to use PATCH instead, for any id.',
        'the documentation says that the caller is told to use PATCH, and shows no status',
      ),
      '405_empty': fromSource('No body and no content type, for any id.', inTests),
      '403': assumed('The text of 405, for any id.'),
      '404': assumed('The error of a missing annotation, for any id.'),
    },
    default: '405',
    live: '405_empty',
  },
  'annotations.list.limit.default': {
    cites: ['limits.values'],
    question: 'How many annotations does GET …/annotations return without limit?',
    values: {
      '1000': fromSource('At most 1,000.'),
      integer: anyNumber(1, 1_000_000),
    },
    default: 1000,
    cures: { any: 'Let the client follow `next` until it is null.' },
  },
  'annotations.search.reach': {
    cites: ['operation.listAnnotations', 'operation.retrieveAnnotation'],
    question: 'Which operations on annotations apply the query parameter search?',
    values: {
      list: documented('Only GET …/annotations.', 'operation.listAnnotations'),
      every_lookup: fromSource(
        'GET, PUT and PATCH …/annotations/:id, too: an annotation that does not match returns 404.',
      ),
    },
    default: 'list',
    live: 'every_lookup',
    cures: { every_lookup: 'Let the client send search only with the list.' },
  },
  'annotations.fields': {
    cites: ['created_by.hedgehog_config', 'versioning.scheme'],
    question: 'Which fields does an annotation have, compared with the documentation?',
    values: {
      as_listed: documented('The same.', 'created_by.hedgehog_config'),
      may_2024: fromSource(
        'created_by has no hedgehog_config.',
        "in the service's API schema of 2024-05",
      ),
      july_2024: fromSource(
        'Also dashboard_id, dashboard_name and insight_derived_name, which are null.',
        "in the service's API schema of 2024-07",
      ),
    },
    default: 'as_listed',
  },
} as const
