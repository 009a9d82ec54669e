import * as z from 'zod'
import type { Failure } from '../errors.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { didYouMean, unexpectedValue } from '../usage-error.ts'
import { resourceNotFound } from './absent.ts'
import { type ControlContext, withGeneratedRows } from './world.ts'

/** What shall be replayed. */
export interface ReplayRequest {
  /** The name of one that is at hand, or a scenario */
  readonly scenario: string | Scenario
  /** In place of the scenario's own */
  readonly profile?: Profile
  /** Besides the scenario's own, which they win over */
  readonly policies?: PolicyOverrides
}

export const replayRequestSchema: z.ZodType<ReplayRequest> = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
}) as unknown as z.ZodType<ReplayRequest>

/** @throws UsageError for a name that none has */
export async function resolveScenario(
  { scenario }: ReplayRequest,
  { scenarios, simulator, readFixture, loadGenerator }: ControlContext,
): Promise<Scenario> {
  const found = typeof scenario === 'string' ? await scenarios.read(scenario) : scenario
  const from = found?.world
  if (typeof from === 'string' && !simulator.sandboxes.hasSource(from)) {
    const world = await readFixture(from)
    if (world) simulator.sandboxes.addFixture(from, await withGeneratedRows(world, loadGenerator))
  }
  if (found) return found
  const names = (await scenarios.list()).map(({ name }) => name)
  const meant = didYouMean(String(scenario), names)
  throw unexpectedValue('replay', 'the name of a scenario', scenario, meant, 'scenario')
}

export function scenarioNotFound(name: string): Failure {
  return resourceNotFound('name', `Scenario ${name}`, 'it never was, or its file is gone')
}
