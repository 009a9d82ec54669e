import { defineEndpoint, type Operation } from '../../http/endpoint.ts'
import { parseInteger } from '../../http/messages.ts'
import {
  findVisiblePlugin,
  isGlobalForAll,
  pluginParams,
  pluginShape,
  pluginWriter,
} from './plugin.ts'

export const retrievePlugin: Operation = defineEndpoint({
  operation: 'retrievePlugin',
  list: 'plugins',
  verb: 'retrieve',
  summary: 'Retrieve a plugin.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/:id',
  scope: 'plugin:read',

  params: pluginParams,
  status: 200,
  response: pluginShape,
  errors: ['not_found'],

  // As the service's source has it: the path of any organization leads to a global plugin, also for users who are no members.
  isOpenToAll: ({ id = '' }, context) => isGlobalForAll(parseInteger(id), context),
  find: findVisiblePlugin,
  handle({ row }, context) {
    return pluginWriter(context).write(row)
  },
})
