import { type Issue, issuesError, UsageError, unexpectedValue } from '../utils/errors.ts'

/** A key of a server, and what it may do according to its owner. */
export interface ComparedKey {
  readonly label: string
  readonly value: string
  /** `*` for all scopes, null for a key from before scopes existed */
  readonly scopes: readonly string[] | null
}

/** What a label of a key can be, for help texts. */
export const keyLabels =
  'all, none (no scopes), old (issued before scopes existed), or scopes such as plugin:read or annotation:read,annotation:write'

/** One label of each kind of key: together they show what any key can. The one that may do most is first. */
export const usualLabels = ['all', 'old', 'none', 'plugin:read', 'annotation:write'] as const

const scopePattern = /^(annotation|plugin|project):(read|write)$/

/** The scopes that a label says. Undefined for a label that says none */
function scopesOf(label: string): readonly string[] | null | undefined {
  if (label === 'all') return ['*']
  if (label === 'old') return null
  if (label === 'none') return []
  const scopes = label.split(',').map((scope) => scope.trim())
  return scopes.every((scope) => scopePattern.test(scope)) ? scopes : undefined
}

/** Reads keys by their labels, which say their scopes; the first may do most. @throws UsageError for wrong labels, or no key */
export function parseKeys(keys: Readonly<Record<string, string>>): ComparedKey[] {
  const issues: Issue[] = []
  const parsed = Object.entries(keys).map(([label, value]): ComparedKey => {
    if (!/^[\x21-\x7e]{2,}$/.test(value)) {
      const text = 'expected a key of at least two characters, without spaces'
      issues.push({ path: [label], text })
    }
    const scopes = scopesOf(label)
    if (scopes === undefined) {
      const { message } = unexpectedValue('read the label of a key', keyLabels, label)
      issues.push({ path: [], text: message })
    }
    return { label, value, scopes: scopes === undefined ? [] : scopes }
  })
  if (issues.length > 0) throw issuesError('Failed to read the keys.', issues)
  if (parsed.length === 0) throw new UsageError('Pass a key of the server with --key.')
  return parsed.sort((a, b) => rankOf(a) - rankOf(b))
}

/** Less for a key that may do more. */
function rankOf({ scopes }: ComparedKey) {
  if (scopes === null) return 1
  return scopes.includes('*') ? 0 : 100 - scopes.length
}
