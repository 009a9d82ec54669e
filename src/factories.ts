export type * from './types.ts'
export { type Factories, factories, generate } from './world/factories/factories.ts'
export type { PartialRow } from './world/world-json.ts'
