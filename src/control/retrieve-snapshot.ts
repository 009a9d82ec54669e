import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { worldSchema } from '../world/schema/world.ts'
import { noSnapshot } from './snapshot-info.ts'
import type { World } from './world.ts'

export const retrieveSnapshot: Endpoint<World> = endpoint({
  id: 'retrieveSnapshot',
  summary: 'Read a snapshot as a file: a world in the format of fixtures.',

  method: 'GET',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathText('The name of a snapshot.') },
  status: 200,
  response: worldSchema,
  errors: ['not_found'],

  handle({ params }, { simulator }) {
    const file = simulator.snapshots.get(params.name)
    if (!file) throw noSnapshot(params.name)
    return file
  },
})
