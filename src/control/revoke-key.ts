import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { absent } from './absent.ts'
import type { World } from './world.ts'

export const revokeKey: Endpoint<World> = endpoint({
  id: 'revokeKey',
  summary: 'End an API key.',

  method: 'DELETE',
  path: '/__admin/keys/:value',
  scope: 'operator',

  params: { value: pathText('The value of a key, a dot in it as %2E.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.keys.revoke(params.value)) return
    throw absent('value', 'Key', 'it was never issued, or was revoked')
  },
})
