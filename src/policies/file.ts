import * as z from 'zod'
import { issuesError } from '../utils/issues.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { describeIssues, suggestFields } from '../utils/schema-issues.ts'
import type { UsageError } from '../utils/usage-error.ts'
import { type PolicyId, policyIds } from './policies.ts'
import { type PolicyOverrides, resolvePolicies } from './settings.ts'

/** The policies of a server, as `understudy observe` writes them. */
interface PolicyFile {
  /** The values that were found */
  readonly policies: PolicyOverrides
  /** Why the other policies have none, in a sentence for each id */
  readonly open?: { readonly [Id in PolicyId]?: string }
}

const fileSchema = z.strictObject({
  policies: z.record(z.string(), z.unknown()).superRefine((policies, { addIssue }) => {
    for (const [id, value] of Object.entries(policies)) {
      try {
        resolvePolicies('documented', { [id]: value })
      } catch (error) {
        addIssue({ code: 'custom', path: [id], message: (error as UsageError).reason })
      }
    }
  }),
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
  const { data, error } = fileSchema.safeParse(file, suggestFields)
  if (data) return data.policies as PolicyOverrides
  throw issuesError(`${name} is not a valid policy file.`, describeIssues(error, file))
}
