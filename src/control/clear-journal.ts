import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const clearJournal: Endpoint<ControlContext> = defineEndpoint({
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
