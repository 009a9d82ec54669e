export type { Dependence, DependenceKind } from './analysis/variants/dependences.ts'
export type { VariantOutcome } from './analysis/variants/sweep.ts'
export type { Variant } from './analysis/variants/variant.ts'
export {
  type As,
  type Caller,
  type SimulatorContext,
  withSimulator,
} from './integrations/testing/fixtures.ts'
export { type Sweep, type SweepOptions, sweep } from './integrations/testing/sweep.ts'
export {
  type ReadScenarioOptions,
  readScenario,
  type ScenarioWithRows,
} from './scenarios/library.ts'
export { shrinkScenario } from './scenarios/shrink.ts'
export { type ListenOptions, listen, type RunningServer } from './server/listen.ts'
export { fixtureNames, readWorld } from './world/load/read-world.ts'
export { type FilePersistence, persistInFile } from './world/persistence/persist-in-file.ts'
