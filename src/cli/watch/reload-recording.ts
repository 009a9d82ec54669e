import { isDeepStrictEqual } from 'node:util'
import { readScenario } from '../../read-scenario.ts'
import { readWorld } from '../../read-world.ts'
import { reloadWorld } from '../../reload-world.ts'
import type { Replay } from '../../replay-server/replay.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { OpenedRecording } from '../recorded.ts'
import type { ReloadSummary } from './reloaded.ts'

/** Takes over what has changed in a file of a recording, each time that it is asked to. */
export class RecordingReloader {
  readonly #file: string
  readonly #open: OpenedRecording['open']
  #scenario: Scenario
  #replay: Replay

  constructor({ replay, file, scenario, open }: OpenedRecording) {
    this.#replay = replay
    this.#file = file
    this.#scenario = scenario
    this.#open = open
  }

  /** @throws UsageError for a file with faults; then all is as it was */
  async reload(): Promise<ReloadSummary> {
    const [before, after] = [this.#scenario, await readScenario(this.#file)]
    // Whether it can be replayed at all is tried in a world of its own.
    const tried = await this.#open(after)
    const next = this.#replay.continueWith(tried)
    const { simulator } = next
    const worlds = await changedWorld(before, after)
    const rows = worlds && reloadWorld(simulator, ...worlds)
    await next.ready()
    simulator.replaying = next
    this.#replay = next
    this.#scenario = after
    const { added, changed, removed } = next.changes
    const conflicts = rows?.conflicts ?? []
    return {
      added: { ...rows?.added, ...requestCount(added) },
      changed: { ...rows?.changed, ...requestCount(changed) },
      removed: { ...rows?.removed, ...requestCount(removed) },
      kept: [
        ...conflicts.map(({ list, id, reason }) => `${list} ${id} ${reason}`),
        ...ignoredChanges(before, after),
      ],
    }
  }
}

const requestCount = (requests: number): Record<string, number> =>
  requests === 0 ? {} : { requests }

/** The worlds of two versions, where they are others and both say which. */
async function changedWorld(
  before: Scenario,
  after: Scenario,
): Promise<[before: WorldJson, after: WorldJson] | null> {
  if (isDeepStrictEqual(before.world, after.world) || !before.world || !after.world) return null
  // Another seed waits for another start.
  const { seed } = before
  return [await readScenarioWorld(before.world, seed), await readScenarioWorld(after.world, seed)]
}

async function readScenarioWorld(
  world: NonNullable<Scenario['world']>,
  seed: number | undefined,
): Promise<WorldJson> {
  return typeof world === 'string' ? readWorld(world, seed) : world
}

/** What is decided when the server starts. */
function ignoredChanges(before: Scenario, after: Scenario): string[] {
  const hasWorlds = before.world !== undefined && after.world !== undefined
  return (['world', 'seed', 'profile', 'policies', 'clock'] as const)
    .filter(
      (field) =>
        !isDeepStrictEqual(before[field], after[field]) && !(field === 'world' && hasWorlds),
    )
    .map((field) => `${field} stays as it was when the server started: start it anew for another`)
}
