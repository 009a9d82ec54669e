import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const clearJournal: Endpoint<World> = endpoint({
  id: 'clearJournal',
  summary: 'Forget every entry of the journal; their numbers go on.',

  method: 'DELETE',
  path: '/__admin/journal',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.journal.clear()
  },
})
