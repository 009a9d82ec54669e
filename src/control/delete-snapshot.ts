import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { noSnapshot } from './snapshot-info.ts'
import type { World } from './world.ts'

export const deleteSnapshot: Endpoint<World> = endpoint({
  id: 'deleteSnapshot',
  summary: 'Forget a snapshot.',

  method: 'DELETE',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathText('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.delete(params.name)) throw noSnapshot(params.name)
  },
})
