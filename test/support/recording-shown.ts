import type { ReplayResult, Scenario, Step } from '../../src/index.ts'

/** Requests by their method and path, changes as they are. */
export function brief({ steps }: Scenario): unknown[] {
  return steps.map((step: Step) => ('method' in step ? `${step.method} ${step.path}` : step))
}

/** What is not as expected. */
export function failures({ steps }: ReplayResult): unknown[] {
  return steps.filter(({ outcome }) => outcome !== 'held').map(({ differences }) => differences)
}
