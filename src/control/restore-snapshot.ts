import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { noSnapshot } from './snapshot-info.ts'
import type { World } from './world.ts'

export const restoreSnapshot: Endpoint<World> = endpoint({
  id: 'restoreSnapshot',
  summary: 'Go back to the rows of a snapshot.',

  method: 'POST',
  path: '/__admin/snapshots/:name/restore',
  scope: 'operator',

  params: { name: pathText('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.has(params.name)) throw noSnapshot(params.name)
    simulator.snapshots.restore(params.name)
  },
})
