import * as z from 'zod'
import type { Failure } from '../errors.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { nearest, unexpected } from '../usage-error.ts'
import { absent } from './absent.ts'
import { filled, type World } from './world.ts'

/** What shall be replayed. */
export interface ReplayRequest {
  /** The name of one that is at hand, or a scenario */
  readonly scenario: string | Scenario
  /** In place of the scenario's own */
  readonly profile?: Profile
  /** Besides the scenario's own, which they win over */
  readonly policies?: PolicyOverrides
}

export const replayRequest: z.ZodType<ReplayRequest> = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
}) as unknown as z.ZodType<ReplayRequest>

/** @throws UsageError for a name that none has */
export async function scenarioOf(
  { scenario }: ReplayRequest,
  { scenarios, simulator, fixture, generator }: World,
): Promise<Scenario> {
  const found = typeof scenario === 'string' ? await scenarios.read(scenario) : scenario
  const from = found?.world
  if (typeof from === 'string' && !simulator.sandboxes.knows(from)) {
    const world = await fixture(from)
    if (world) simulator.sandboxes.offer(from, await filled(world, generator))
  }
  if (found) return found
  const names = (await scenarios.list()).map(({ name }) => name)
  const meant = nearest(String(scenario), names)
  throw unexpected('replay', 'the name of a scenario', scenario, meant, 'scenario')
}

export function noScenario(name: string): Failure {
  return absent('name', `Scenario ${name}`, 'it never was, or its file is gone')
}
