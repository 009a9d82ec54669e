import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { worldBody } from './body.ts'
import { snapshotInfo } from './snapshot-info.ts'
import { filled, type World } from './world.ts'

export const importSnapshot: Endpoint<World> = endpoint({
  id: 'importSnapshot',
  summary: 'Keep the world of a snapshot file by a name; a snapshot of that name makes way.',

  method: 'PUT',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathText('The name of a snapshot.') },
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: snapshotInfo,
  errors: [...bodyErrors, 'throttled'],

  async handle({ params, body }, { simulator, generator }) {
    return simulator.snapshots.import(params.name, await filled(body, generator))
  },
})
