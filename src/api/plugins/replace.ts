import type { Operation } from '../../http/endpoint.ts'
import { perSetting } from '../../settings/setting.ts'
import { updatePlugin } from './update.ts'

/** Undocumented. As the service's source has it: works like PATCH, since no field is required. */
export const replacePlugin: Operation = {
  ...updatePlugin,
  operation: 'replacePlugin',
  list: 'plugins',
  verb: 'replace',
  summary: 'Change a plugin. Works like PATCH.',
  method: 'PUT',
  enabled: perSetting('methods.put', { off: false, on: true }),
}
