import type { Endpoint } from '../../http/endpoint.ts'
import { bySetting } from '../../settings/by-setting.ts'
import { updatePlugin } from './update.ts'

/** Undocumented. Seen in the live service: works like PATCH, since no field is required. */
export const replacePlugin: Endpoint = {
  ...updatePlugin,
  id: 'replacePlugin',
  summary: 'Change a plugin. Works like PATCH.',
  method: 'PUT',
  enabled: bySetting('methods.put', { off: false, on: true }),
}
