import { markdownTable } from '../../../.tools/readme-tables.ts'
import { probes } from '../../../src/analysis/observe/observe.ts'
import { policyIds } from '../../../src/policies/policies.ts'

/** One row per policy: how `understudy observe` finds it, or why it cannot. */
export function observedPoliciesTable(): string {
  const rows = policyIds.map((id) => {
    const probe = probes[id]
    if ('hidden' in probe) return [`\`${id}\``, 'nothing', '', '', probe.hidden]
    const { shows, key = '', writes = false, unless = '' } = probe
    return [`\`${id}\``, shows, key, writes ? 'yes' : '', unless]
  })
  const columns = [
    'Policy',
    'Shows itself in',
    'Key besides `all`',
    'Needs writes',
    'Stays open if',
  ]
  return markdownTable(columns, rows)
}
