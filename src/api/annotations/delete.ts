import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { Failure, type FailureName, quote } from '../../http/failures.ts'
import { emptyBody, integer } from '../../http/fields/body-fields.ts'
import { pathParameter } from '../../http/input.ts'
import { parseInteger } from '../../http/messages.ts'
import { perSetting, type SettingValue } from '../../settings/setting.ts'
import type { ProjectRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import { isVisibleTo, projectParams } from './annotation.ts'

const detail = 'Method "DELETE" not allowed. Use PATCH with deleted set to true.'

/** Those that have a body */
const failures: {
  readonly [Status in SettingValue<'annotations.delete.status'>]: readonly FailureName[]
} = {
  '405': ['method_not_allowed'],
  '405_empty': [],
  '403': ['permission_denied'],
  '404': ['not_found'],
}

/** Always refused, whatever the id: annotations are only soft-deleted. As the service's source has it: no row is looked up. */
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
  errors: perSetting('annotations.delete.status', failures),

  handle({ project, params }, { settings, tables }) {
    const missing = describeMissing(project, params.id, tables)
    const cure = missing === null ? '; send PATCH with {"deleted": true}' : `, and ${missing}`
    const status = settings['annotations.delete.status']
    const [name = 'method_not_allowed'] = failures[status]
    throw new Failure(name, name === 'not_found' ? undefined : detail, {
      check: 'method',
      hasNoBody: status === '405_empty',
      isRowMissing: missing !== null,
      reason: () => `annotations cannot be deleted${cure}`,
      ...(missing === null && { instead: { method: 'PATCH', fields: { deleted: true } } }),
    })
  },
})

/** Why a project has no annotation to delete. @param id as in the path @returns null if it has one */
function describeMissing(project: ProjectRow, id: string, tables: Tables): string | null {
  const row = tables.annotations.get(parseInteger(id) ?? 0)
  if (!row) return `there is no annotation ${quote(id)}`
  if (!isVisibleTo(project, row)) return `annotation ${row.id} belongs to project ${row.project}`
  return row.deleted ? `annotation ${row.id} is deleted already` : null
}
