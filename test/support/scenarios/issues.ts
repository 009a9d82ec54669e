import { parseScenario } from '../../../src/scenarios/format/check-scenario.ts'
import { isUsageError } from '../../../src/utils/errors.ts'

/** The issues of a scenario, each with its path. */
export function scenarioIssues(scenario: unknown): readonly string[] {
  try {
    parseScenario(scenario)
    return []
  } catch (error) {
    if (isUsageError(error)) return error.issues
    throw error
  }
}
