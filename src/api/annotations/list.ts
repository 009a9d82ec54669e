import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { pageShape } from '../../http/fields/body-fields.ts'
import { limitParameter, offsetParameter, searchParameter } from '../../http/input.ts'
import { toPage } from '../../http/written-rows.ts'
import { matchesTerms } from '../../world/search.ts'
import { foundRows } from '../../world/sorted-list.ts'
import { deletedFrom } from '../../world/tables.ts'
import { annotationShape, annotationWriter, projectParams } from './annotation.ts'

/** Annotations without a date_marker come first. Deleted annotations are omitted. */
export const listAnnotations: Operation = defineEndpoint({
  operation: 'listAnnotations',
  list: 'annotations',
  verb: 'list',
  summary: 'List the annotations that a project sees: without date_marker first, then the newest.',

  method: 'GET',
  path: '/api/projects/:project_id/annotations',
  scope: 'annotation:read',

  params: projectParams,
  query: {
    limit: limitParameter('annotations.list.limit.default'),
    offset: offsetParameter,
    search: searchParameter,
  },
  status: 200,
  response: pageShape(annotationShape),
  errors: [],

  handle({ project: { id, organization }, query: { search, ...window }, url }, context) {
    const { tables, settings } = context
    const includesDeleted = settings['annotations.deleted.visibility'] === 'listed'
    const keys = [id, organization]
    if (includesDeleted) keys.push(deletedFrom(id), deletedFrom(organization))
    const visible = tables.annotations.listed(...keys)
    const find = () =>
      visible.slice(0, visible.size).filter(({ content }) => matchesTerms(content, search))
    const rows = search.length === 0 ? visible : foundRows(find())
    return toPage(rows, { ...window, url }, () => annotationWriter(context))
  },
})
