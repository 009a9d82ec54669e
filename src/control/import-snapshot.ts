import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { worldBody } from './body.ts'
import { snapshotInfoSchema } from './snapshot-info.ts'
import { type ControlContext, withGeneratedRows } from './world.ts'

export const importSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'importSnapshot',
  summary: 'Keep the world of a snapshot file by a name; a snapshot of that name makes way.',

  method: 'PUT',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: snapshotInfoSchema,
  errors: [...bodyFailures, 'throttled'],

  async handle({ params, body }, { simulator, loadGenerator }) {
    return simulator.snapshots.import(params.name, await withGeneratedRows(body, loadGenerator))
  },
})
