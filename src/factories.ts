export { factories } from './world/factories/factories.ts'
export { generate } from './world/factories/generate.ts'
export type { PartialWorldJson } from './world/factories/partial-rows.ts'
export type { WorldJson } from './world/world-json.ts'
