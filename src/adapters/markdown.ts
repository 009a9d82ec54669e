import type { Endpoint } from '../http/endpoint.ts'
import {
  isByPolicy,
  possibleValues,
  type Resolvable,
  resolveByPolicy,
} from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Policy } from '../policies/policy.ts'

/** One row for each endpoint. What a policy decides is shown as the settings have it, with a mark. */
export function endpointTable(
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): string {
  const rows = endpoints.map(({ id, summary, method, path, scope, status }) => [
    summary,
    `\`${method}\``,
    `\`${path}\``,
    shown(scope, settings),
    shown(status, settings),
    `\`${id}\``,
  ])
  return table(['What it does', 'Method', 'Path', 'Scope', 'Status', 'Operation'], rows)
}

/** One row for each policy: what it asks, and what it can be set to. */
export function policyTable(policies: Readonly<Record<string, Policy>>): string {
  const rows = Object.entries(policies).map(([id, policy]) => [
    `\`${id}\``,
    policy.question,
    valuesOf(policy),
    setting(policy, 'documented'),
    setting(policy, 'live'),
  ])
  return table(['Policy', 'Question', 'Values', 'documented', 'live'], rows)
}

/** A table with a head. Bars and line ends in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function shown(value: Resolvable<string | number>, settings: PolicySettings): string {
  const text = String(resolveByPolicy(value, settings))
  return isByPolicy(value) && possibleValues(value).length > 1 ? `${text}*` : text
}

function valuesOf({ values, only }: Policy): string {
  const all = Object.entries(values).map(([value, { says, minimum, maximum }]) =>
    value === 'integer' ? `${minimum} to ${maximum}: ${says}` : `\`${value}\`: ${says}`,
  )
  return [...all, ...(only ? [only] : [])].join('<br>')
}

function setting(policy: Policy, profile: 'documented' | 'live'): string {
  return `\`${policy[profile]}\` (${evidenceOf(policy, policy[profile])})`
}

function evidenceOf({ values }: Policy, value: string | number): string {
  return (values[value] ?? values.integer)?.evidence ?? 'assumed'
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
