export type { Annotation, AnnotationChanges, CreatedBy } from './annotations/annotation.ts'
export type { Page } from './http/page.ts'
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
