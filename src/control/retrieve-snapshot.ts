import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { worldSchema } from '../world/schema/world.ts'
import { snapshotNotFound } from './snapshot-info.ts'
import type { ControlContext } from './world.ts'

export const retrieveSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveSnapshot',
  summary: 'Read a snapshot as a file: a world in the format of fixtures.',

  method: 'GET',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 200,
  response: worldSchema,
  errors: ['not_found'],

  handle({ params }, { simulator }) {
    const file = simulator.snapshots.get(params.name)
    if (!file) throw snapshotNotFound(params.name)
    return file
  },
})
