import { type DocumentLine, documentLines } from '../../policies/document.ts'
import { policies, policyCitations } from '../../policies/policies.ts'
import type { PolicyInfo } from '../../policies/policy-access.ts'
import { policyIds } from '../../policies/setting-ranges.ts'
import {
  behaviours,
  type Constant,
  failureConstants,
  fieldChecks,
  fieldRules,
  headerConstants,
  undocumentedFields,
} from './constants.ts'
import { constantReason } from './evidence.ts'
import type { Reason } from './response-reasons.ts'

/** All that is known of the API, and how. */
export interface Catalogue {
  /** The statements of the documentation */
  readonly documentation: readonly CataloguedLine[]
  readonly policies: readonly CataloguedPolicy[]
  /** The rules that no policy changes */
  readonly constants: readonly Reason[]
}

interface CataloguedLine {
  readonly id: DocumentLine
  readonly text: string
  /** The ids of the policies and constants that cite it */
  readonly cited_by: readonly string[]
}

interface CataloguedPolicy extends Omit<PolicyInfo, 'documentation' | 'setting'> {
  /** The lines that the policy is about */
  readonly documentation: readonly string[]
}

/** The constants by id, with the lines that they cite. */
function listConstants(): [id: string, constant: Constant][] {
  const named = (prefix: string, group: Readonly<Record<string, Constant>>) =>
    Object.entries(group).map(([name, constant]): [string, Constant] => [prefix + name, constant])
  return [
    ...named('error.', failureConstants),
    ...named('check.', fieldChecks),
    ...named('rule.', fieldRules),
    ...named('', behaviours),
    ...named('header.', headerConstants),
    ...named('fields.', undocumentedFields),
  ]
}

/** Lists all statements of the documentation, policies and constants. */
export function createCatalogue(): Catalogue {
  const constants = listConstants()
  const citersOf = (line: DocumentLine): string[] => [
    ...policyIds.filter((id) => policyCitations[id].includes(line)),
    ...constants.filter(([, { lines }]) => lines.includes(line)).map(([id]) => id),
  ]
  return {
    documentation: Object.entries(documentLines).map(([id, text]) => {
      return { id: id as DocumentLine, text, cited_by: citersOf(id as DocumentLine) }
    }),
    policies: policyIds.map((id) => {
      const { question, documented, live, values } = policies[id]
      const documentation = policyCitations[id].map((line) => documentLines[line])
      const listed = Object.entries(values).map(([value, meaning]) => ({ value, ...meaning }))
      return { id, question, documentation, documented, live, values: listed }
    }),
    constants: constants.map(([id, constant]) => constantReason(id, constant)),
  }
}
