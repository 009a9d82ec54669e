import type { Location, Log, ReportingDescriptor, Result } from 'sarif'
import { version } from '../version.ts'
import {
  type Finding,
  formatFinding,
  type Report,
  type RuleDescription,
  type TestLocation,
} from './report.ts'

/**
 * Prints a report in the Static Analysis Results Interchange Format (SARIF 2.1.0), which code-scanning services read.
 */
export function toSarif({ sarif }: Report): string {
  const { command = 'understudy', rules = [], findings = [] } = sarif ?? {}
  const ruleIds = rules.map(({ id }) => id)
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'understudy', version, rules: rules.map(toDescriptor) } },
        invocations: [{ commandLine: command, executionSuccessful: true }],
        results: findings.map((finding) => toResult(finding, ruleIds)),
        columnKind: 'utf16CodeUnits',
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toDescriptor({ id, sentence, cure }: RuleDescription): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: sentence },
    ...(cure !== undefined && { help: { text: cure } }),
  }
}

function toResult(finding: Finding, ruleIds: readonly string[]): Result {
  const { rule, level, evidence, source, test } = finding
  const ruleIndex = ruleIds.indexOf(rule)
  return {
    ruleId: rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
    level,
    message: { text: formatFinding(finding).join('\n') },
    locations: [toLocation(test)],
    ...((evidence ?? source) !== undefined && { properties: { evidence, source } }),
  }
}

/** GitHub refuses results without a file. If none is known, they name the one that each project has. */
function toLocation({
  name,
  file = 'package.json',
  line = 1,
}: Partial<TestLocation> = {}): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) },
      region: { startLine: line },
    },
    ...(name !== undefined && { logicalLocations: [{ name, kind: 'function' }] }),
  }
}
