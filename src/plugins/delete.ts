import { nothing } from '../fields/shape.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { byPolicy } from '../policies/by-policy.ts'
import { pluginToChange } from './find.ts'
import { oneInOrganization } from './plugin.ts'
import type { World } from './world.ts'

export const deletePlugin: Endpoint<World> = endpoint({
  id: 'deletePlugin',
  summary: 'Remove a plugin for good.',

  method: 'DELETE',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:write',

  params: oneInOrganization,
  status: 204,
  response: nothing,
  errors: byPolicy('plugins.delete.global', {
    deleted: ['not_found'],
    refused: ['not_found', 'validation_error'],
  }),

  find: pluginToChange,
  handle({ subject, caller }, { plugins }) {
    return plugins.remove(subject, caller)
  },
})
