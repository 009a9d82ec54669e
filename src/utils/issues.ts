import { formatCount } from './count.ts'
import { type Issue, type Path, UsageError } from './usage-error.ts'

/** Puts the path of a part in front of the paths of its issues. */
export function issuesWithin(path: Path, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

/** @example formatIssue({ path: ['annotations', 3, 'scope'], text: 'expected …' }) // 'annotations[3].scope: expected …' */
export function formatIssue(issue: Issue): string {
  const { line, text, allowed = '' } = issue
  const place = [line && `line ${line}`, placeOf(issue)].filter(Boolean).join(', ')
  return `${place && `${place}: `}${text}${allowed}`
}

/** Where an issue is, as text. */
export function placeOf({ path, root = '' }: Issue): string {
  return formatPath(path) || root
}

/** @example formatPath(['annotations', 3, 'scope']) // 'annotations[3].scope' */
export function formatPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
}

/** A check ends after this many issues. Counting those of a large file would take minutes. */
export const maxIssues = 10_000

/** @example countIssues(['id: …']) // '1 problem' */
export function countIssues({ length }: readonly Issue[]): string {
  if (length >= maxIssues) return `at least ${length} problems`
  return formatCount(length, 'problem')
}

/** How many issues a message lists. */
export const maxListedIssues = 100

/**
 * Creates the error of a value with issues.
 *
 * @param listed at least one. Unknown fields are put first, because a misspelled name often explains a missing one. The
 *   first hundred are appended to the message, one per line, and the number of the others
 */
export function issuesError(
  message: string,
  listed: readonly Issue[],
  field: string | null = null,
): UsageError {
  const isKnown = ({ kind }: Issue) => Number(kind !== 'unknown')
  const details = [...listed].sort((a, b) => isKnown(a) - isKnown(b))
  const rest = details.length - maxListedIssues
  const printed = new Set<string | undefined>()
  const lines = details.slice(0, maxListedIssues).map((issue) => {
    const isNew = printed.size < printed.add(issue.allowed).size
    return formatIssue(isNew ? issue : { ...issue, allowed: '' })
  })
  if (rest > 0) lines.push(`… and ${details.length < maxIssues ? '' : 'at least '}${rest} more`)
  const [first] = details
  const error = new UsageError(
    [message, ...lines.map((line) => `  ${line}`)].join('\n'),
    field ?? (first ? placeOf(first) || null : null),
  )
  return Object.assign(error, { details, issues: details.map(formatIssue) })
}
