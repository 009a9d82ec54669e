/** What a page loads on demand, as one file: the simulator, and what its panel needs of it. */
export { Simulator } from '../../simulator.ts'
export { createPageSource } from './panel/page-source.ts'
