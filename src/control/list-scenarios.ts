import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ListedScenario } from '../scenarios/library.ts'
import type { ControlContext } from './world.ts'

const listedScenarioSchema: z.ZodType<ListedScenario> = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  steps: z.int(),
  from: z.enum(['package', 'folder']),
  fault: z.string().nullable(),
})

/** One that cannot be replayed is there too, with its fault. */
export const listScenarios: Endpoint<ControlContext> = defineEndpoint({
  id: 'listScenarios',
  summary: 'List the scenarios that are at hand: those of the package, and of --scenarios.',

  method: 'GET',
  path: '/__admin/scenarios',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(listedScenarioSchema),
  errors: ['validation_error'],

  handle: (_input, { scenarios }) => scenarios.list(),
})
