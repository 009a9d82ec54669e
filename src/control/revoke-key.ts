import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { resourceNotFound } from './absent.ts'
import type { ControlContext } from './world.ts'

export const revokeKey: Endpoint<ControlContext> = defineEndpoint({
  id: 'revokeKey',
  summary: 'End an API key.',

  method: 'DELETE',
  path: '/__admin/keys/:value',
  scope: 'operator',

  params: { value: pathParameter('The value of a key, a dot in it as %2E.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.keys.revoke(params.value)) return
    throw resourceNotFound('value', 'Key', 'it was never issued, or was revoked')
  },
})
