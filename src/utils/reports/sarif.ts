import type { Log, ReportingDescriptor, Result } from 'sarif'
import { version } from '../version.ts'
import { type Finding, formatFinding, type RuleDescription } from './finding.ts'
import type { Report } from './report.ts'

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

/** GitHub refuses results without a location. The simulator sees no source of a client, so they name this file. */
const location = { artifactLocation: { uri: 'package.json' }, region: { startLine: 1 } }

function toResult(finding: Finding, ruleIds: readonly string[]): Result {
  const { rule, level, evidence, source } = finding
  const ruleIndex = ruleIds.indexOf(rule)
  return {
    ruleId: rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
    level,
    message: { text: formatFinding(finding).join('\n') },
    locations: [{ physicalLocation: location }],
    ...((evidence ?? source) !== undefined && { properties: { evidence, source } }),
  }
}
