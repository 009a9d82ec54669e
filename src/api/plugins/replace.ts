import type { Operation } from '../../http/endpoint.ts'
import { bySetting } from '../../settings/by-setting.ts'
import { updatePlugin } from './update.ts'

/** Undocumented. Seen in the live service: works like PATCH, since no field is required. */
export const replacePlugin: Operation = {
  ...updatePlugin,
  operation: 'replacePlugin',
  list: 'plugins',
  verb: 'replace',
  summary: 'Change a plugin. Works like PATCH.',
  method: 'PUT',
  enabled: bySetting('methods.put', { off: false, on: true }),
}
