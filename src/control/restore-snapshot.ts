import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { snapshotNotFound } from './snapshot-info.ts'
import type { ControlContext } from './world.ts'

export const restoreSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'restoreSnapshot',
  summary: 'Go back to the rows of a snapshot.',

  method: 'POST',
  path: '/__admin/snapshots/:name/restore',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.has(params.name)) throw snapshotNotFound(params.name)
    simulator.snapshots.restore(params.name)
  },
})
