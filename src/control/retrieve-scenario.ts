import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { scenarioNotFound } from './replay-request.ts'
import type { ControlContext } from './world.ts'

const scenarioSchema = z.looseObject({
  title: z.string(),
  steps: z.array(z.record(z.string(), z.unknown())),
}) as unknown as z.ZodType<Scenario>

export const retrieveScenario: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveScenario',
  summary: 'Show a scenario whole, as it stands in its file.',

  method: 'GET',
  path: '/__admin/scenarios/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a scenario.') },
  status: 200,
  response: scenarioSchema,
  errors: ['not_found', 'validation_error'],

  async handle({ params: { name } }, { scenarios }) {
    const found = await scenarios.read(name)
    if (!found) throw scenarioNotFound(name)
    return found
  },
})
