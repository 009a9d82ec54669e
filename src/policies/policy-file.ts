import { issuesError } from '../utils/issues.ts'
import { isObject } from '../utils/json.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { type Issue, inspectValue, suggestWord, type UsageError } from '../utils/usage-error.ts'
import { type PolicyId, policies } from './policies.ts'
import { policyIds } from './setting-ranges.ts'
import { type PolicyOverrides, resolvePolicies } from './settings.ts'

/** The policies of a server, as `understudy observe` writes them. */
interface PolicyFile {
  /** The values that were found */
  readonly policies: PolicyOverrides
  /** Why the other policies have none, in a sentence for each id */
  readonly open?: { readonly [Id in PolicyId]?: string }
}

/** Formats a policy file. Its policies are in the order of the table, so that two files can be compared. */
export function formatPolicyFile({ policies: values, open }: PolicyFile): string {
  const sort = (entries: object): object =>
    Object.fromEntries(
      policyIds.flatMap((id) => (id in entries ? [[id, entries[id as keyof object]]] : [])),
    )
  return `${JSON.stringify({ policies: sort(values), ...(open && { open: sort(open) }) }, null, 2)}\n`
}

/**
 * Parses a policy file.
 *
 * @param name the file, for the message
 * @returns its policies, for the option `policies` of `createSimulator`
 * @throws UsageError with every issue
 */
export function parsePolicyFile(text: string, name: string): PolicyOverrides {
  const file = parseJsonText(text, name)
  const issues = isObject(file)
    ? findIssues(file)
    : [{ path: [], text: `expected an object, got ${inspectValue(file)}` }]
  if (issues.length > 0) throw issuesError(`${name} is not a valid policy file.`, issues)
  return (file as PolicyFile).policies
}

function findIssues(file: Record<string, unknown>): Issue[] {
  const fields = ['policies', 'open']
  const unknown = Object.keys(file).filter((name) => !fields.includes(name))
  const issues = unknown.map((name): Issue => {
    const hint = suggestWord(name, fields)
    const allowed = hint ? '' : ` Allowed: ${fields.join(', ')}`
    return { path: [name], text: `unknown field.${hint}`, kind: 'unknown', allowed }
  })
  for (const field of fields) {
    const value = file[field]
    if (field === 'open' && value === undefined) continue
    if (!isObject(value)) {
      const text = `expected an object by policy id, got ${inspectValue(value)}`
      issues.push({ path: [field], text })
      continue
    }
    const isPolicies = field === 'policies'
    for (const [id, entry] of Object.entries(value)) {
      const text = isPolicies ? findSettingIssue(id, entry) : findReasonIssue(id, entry)
      if (text !== null) issues.push({ path: [field, id], text })
    }
  }
  return issues
}

function findReasonIssue(id: string, entry: unknown): string | null {
  if (!Object.hasOwn(policies, id)) return `unknown policy.${suggestWord(id, policyIds)}`
  return typeof entry === 'string' ? null : `expected a text, got ${inspectValue(entry)}`
}

function findSettingIssue(id: string, entry: unknown): string | null {
  try {
    resolvePolicies('documented', { [id]: entry })
    return null
  } catch (error) {
    return (error as UsageError).reason
  }
}
