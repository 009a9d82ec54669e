import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Simulator } from '../simulator.ts'
import type { WorldJson } from '../world/world-json.ts'

/** Fills what a world leaves to the factories. */
export type WorldGenerator = (world: WorldJson) => WorldJson

/** What endpoints of the control API work with. */
export interface ControlContext {
  /** The simulator that is controlled: of the sandbox in the address, or the server's own. */
  readonly simulator: Simulator
  /** The server's own, which has the sandboxes. */
  readonly root: Simulator
  /** Loads what fills what a world leaves to the factories. */
  readonly loadGenerator: () => Promise<WorldGenerator>
  /** The world of a fixture that is a file; null for a name that no fixture has. */
  readonly readFixture: (name: string) => Promise<WorldJson | null>
  /** The scenarios that are at hand. */
  readonly scenarios: ScenarioLibrary
  /** The OpenAPI document of all of it. */
  readonly openApiDocument: () => object
}

/** A world whose rows are all there. */
export async function withGeneratedRows(
  world: WorldJson,
  generator: ControlContext['loadGenerator'],
): Promise<WorldJson> {
  return world?.generate ? (await generator())(world) : world
}
