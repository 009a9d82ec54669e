import type { Scenario } from '../scenarios/scenario.ts'
import { countMembers } from './members.ts'

/** How large a scenario is. */
export interface ScenarioSize {
  readonly steps: number
  /** Of the world that it begins with */
  readonly rows: number
  /** Members and items of all that is in it, steps and rows included */
  readonly fields: number
}

export function measureScenario(scenario: Scenario): ScenarioSize {
  const { steps, world } = scenario
  const lists = typeof world === 'object' ? Object.values(world).filter(Array.isArray) : []
  const rows = lists.reduce((sum, list) => sum + list.length, 0)
  return { steps: steps.length, rows, fields: countMembers(scenario) }
}
