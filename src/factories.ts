export {
  type Factories,
  type FactoriesOptions,
  type Factory,
  factories,
} from './world/factories/factories.ts'
export { type GenerateOptions, generate } from './world/factories/generate.ts'
export type { FactoryRows, PartialRow, PartialWorldJson } from './world/factories/partial-rows.ts'
export type { ListName } from './world/tables.ts'
export type { WorldJson } from './world/world-json.ts'
