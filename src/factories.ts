export type * from './types.ts'
export {
  type Factories,
  type FactoriesOptions,
  factories,
  type GenerateOptions,
  generate,
} from './world/factories/factories.ts'
export type { PartialRow } from './world/world-json.ts'
