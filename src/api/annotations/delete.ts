import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { Failure, type FailureDetails, quote } from '../../http/failures.ts'
import { emptyBody, integer } from '../../http/fields/body-fields.ts'
import { pathParameter } from '../../http/input.ts'
import { parseInteger } from '../../http/messages.ts'
import { perSetting } from '../../settings/setting.ts'
import type { ProjectRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import { isVisibleTo, projectParams } from './annotation.ts'

const detail = 'Method "DELETE" not allowed. Use PATCH with deleted set to true.'

/** Always refused, whatever the id: annotations are only soft-deleted. Seen in the live service: no row is looked up. */
export const deleteAnnotation: Operation = defineEndpoint({
  operation: 'deleteAnnotation',
  list: 'annotations',
  verb: 'delete',
  summary: 'Always refused: to delete an annotation, set deleted to true with PATCH.',

  method: 'DELETE',
  path: '/api/projects/:project_id/annotations/:id',
  scope: 'annotation:write',

  params: { ...projectParams, id: pathParameter('Identifies the annotation. Not read.', integer) },
  status: perSetting('annotations.delete.status', {
    '405': 405,
    '405_empty': 405,
    '403': 403,
    '404': 404,
  }),
  response: emptyBody,
  errors: perSetting('annotations.delete.status', {
    '405': ['method_not_allowed'],
    '405_empty': [],
    '403': ['permission_denied'],
    '404': ['not_found'],
  }),

  handle({ project, params }, { settings, tables }) {
    const missing = describeMissing(project, params.id, tables)
    const cure = missing === null ? '; send PATCH with {"deleted": true}' : `, and ${missing}`
    const details: FailureDetails = {
      check: 'method',
      isRowMissing: missing !== null,
      reason: () => `annotations cannot be deleted${cure}`,
      ...(missing === null && { instead: { method: 'PATCH', fields: { deleted: true } } }),
    }
    switch (settings['annotations.delete.status']) {
      case '405':
        throw new Failure('method_not_allowed', detail, details)
      case '405_empty':
        throw new Failure('method_not_allowed', detail, { hasNoBody: true, ...details })
      case '403':
        throw new Failure('permission_denied', detail, details)
      case '404':
        throw new Failure('not_found', undefined, details)
    }
  },
})

/** Why a project has no annotation to delete. @param id as in the path @returns null if it has one */
function describeMissing(project: ProjectRow, id: string, tables: Tables): string | null {
  const row = tables.annotations.get(parseInteger(id) ?? 0)
  if (!row) return `there is no annotation ${quote(id)}`
  if (!isVisibleTo(project, row)) return `annotation ${row.id} belongs to project ${row.project}`
  return row.deleted ? `annotation ${row.id} is deleted already` : null
}
