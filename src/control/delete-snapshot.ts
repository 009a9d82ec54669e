import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { snapshotNotFound } from './snapshot-info.ts'
import type { ControlContext } from './world.ts'

export const deleteSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'deleteSnapshot',
  summary: 'Forget a snapshot.',

  method: 'DELETE',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.delete(params.name)) throw snapshotNotFound(params.name)
  },
})
