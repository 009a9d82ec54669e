import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { snapshotInfoSchema } from './snapshot-info.ts'
import type { ControlContext } from './world.ts'

export const listSnapshots: Endpoint<ControlContext> = defineEndpoint({
  id: 'listSnapshots',
  summary: 'List the snapshots, the oldest first.',

  method: 'GET',
  path: '/__admin/snapshots',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(snapshotInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.snapshots.list()
  },
})
