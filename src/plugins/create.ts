import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { newPlugin } from './changes.ts'
import { inOrganization, plugin } from './plugin.ts'
import type { World } from './world.ts'

/** Stores what the body says; by policy it installs the plugin from a url instead. */
export const createPlugin: Endpoint<World> = endpoint({
  id: 'createPlugin',
  summary: 'Create a plugin.',

  method: 'POST',
  path: '/api/organizations/:organization_id/plugins',
  scope: 'plugin:write',

  params: inOrganization,
  body: newPlugin,
  status: 201,
  response: plugin,
  errors: bodyErrors,

  handle({ organization, caller, body }, { plugins }) {
    return plugins.create(organization, caller, body)
  },
})
