import type { Operation } from '../../http/endpoint.ts'
import { perSetting } from '../../settings/setting.ts'
import { defineUpdate, findVisibleAnnotation } from './annotation.ts'

/** Undocumented. Like PATCH, since no field is required, but it does not find deleted annotations. */
export const replaceAnnotation: Operation = defineUpdate({
  operation: 'replaceAnnotation',
  list: 'annotations',
  verb: 'replace',
  summary: 'Change an annotation that is not deleted. Works like PATCH.',
  method: 'PUT',
  enabled: perSetting('methods.put', { off: false, on: true }),
  find: findVisibleAnnotation,
})
