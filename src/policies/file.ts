import * as z from 'zod'
import { issuesError } from '../utils/issues.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { schemaIssues } from '../utils/schema-issues.ts'
import type { Issue, UsageError } from '../utils/usage-error.ts'
import { type PolicyId, policyIds } from './policies.ts'
import { type PolicyOverrides, resolvePolicies } from './settings.ts'

/** The policies of a server, as `understudy compare` writes them. */
interface PolicyFile {
  /** The values that were found */
  readonly policies: PolicyOverrides
  /** Why the other policies have none, in a sentence for each id */
  readonly open?: { readonly [Id in PolicyId]?: string }
}

const fileSchema = z.strictObject({
  policies: z.record(z.string(), z.unknown()),
  open: z.record(z.string(), z.string()).optional(),
})

/** Formats a policy file. Its policies are in the order of the table, so that two files can be compared. */
export function formatPolicyFile({ policies, open }: PolicyFile): string {
  const sort = (entries: object): object =>
    Object.fromEntries(
      policyIds.flatMap((id) => (id in entries ? [[id, entries[id as keyof object]]] : [])),
    )
  return `${JSON.stringify({ policies: sort(policies), ...(open && { open: sort(open) }) }, null, 2)}\n`
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
  const issues = [...schemaIssues(fileSchema, file), ...valueIssues(file)]
  if (issues.length) throw issuesError(`${name} is not a valid policy file.`, issues)
  return (file as PolicyFile).policies
}

function valueIssues(file: unknown): Issue[] {
  const { policies } = (file ?? {}) as { policies?: unknown }
  if (typeof policies !== 'object' || policies === null) return []
  return Object.entries(policies).flatMap(([id, value]) => {
    try {
      resolvePolicies('documented', { [id]: value })
      return []
    } catch (error) {
      return { path: ['policies', id], text: (error as UsageError).reason }
    }
  })
}
