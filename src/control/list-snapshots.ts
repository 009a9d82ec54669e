import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { snapshotInfo } from './snapshot-info.ts'
import type { World } from './world.ts'

export const listSnapshots: Endpoint<World> = endpoint({
  id: 'listSnapshots',
  summary: 'List the snapshots, the oldest first.',

  method: 'GET',
  path: '/__admin/snapshots',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(snapshotInfo),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.snapshots.list()
  },
})
