import { issuesError } from '../../utils/issues.ts'
import { type Issue, UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { type ObserverKey, Unclear } from './requests.ts'

type ScopedObject = 'annotation' | 'plugin' | 'project'

const scopePattern = /^(annotation|plugin|project):(read|write)$/

/** What a label of a key can be, for help texts. */
export const keyLabels =
  'all, none (no scopes), old (issued before scopes existed), or scopes such as plugin:read or annotation:read,annotation:write'

/** The scopes that a label says: `*` for all, null for a key without scopes. Undefined for another label */
export function scopesOf(label: string): readonly string[] | null | undefined {
  if (label === 'all') return ['*']
  if (label === 'old') return null
  if (label === 'none') return []
  const scopes = label.split(',').map((scope) => scope.trim())
  return scopes.every((scope) => scopePattern.test(scope)) ? scopes : undefined
}

/**
 * Reads keys by their labels, which say their scopes.
 *
 * @param otherLabels labels that are allowed, too. The scopes of their keys are unknown
 * @throws UsageError with every wrong label
 */
export function parseKeys(
  keys: Readonly<Record<string, string>>,
  otherLabels: readonly string[] = [],
): ObserverKey[] {
  const issues: Issue[] = []
  const parsed = Object.entries(keys).map(([label, value]): ObserverKey => {
    if (!/^[\x21-\x7e]{2,}$/.test(value)) {
      const text = 'expected a key of at least two characters, without spaces'
      issues.push({ path: [label], text })
    }
    const scopes = scopesOf(label)
    if (scopes === undefined && !otherLabels.includes(label)) {
      const { message } = unexpectedValue('read the label of a key', keyLabels, label)
      issues.push({ path: [], text: message })
    }
    return { label, value, scopes: scopes === undefined ? [] : scopes }
  })
  if (issues.length > 0) throw issuesError('Failed to read the keys.', issues)
  if (parsed.length === 0) throw new UsageError('Pass a key of the server with --key.')
  return parsed
}

/** The keys of an observation. */
export class Keys {
  readonly #keys: readonly ObserverKey[]

  constructor(keys: readonly ObserverKey[]) {
    this.#keys = keys
  }

  get all(): readonly ObserverKey[] {
    return this.#keys
  }

  /** A key for a scope: the one with full access, one that has the scope, or one without scopes. @throws Unclear */
  for(scope: string): ObserverKey {
    const having = (name: string) => this.#keys.find(({ scopes }) => scopes?.includes(name))
    const key = having('*') ?? having(scope) ?? this.find('old')
    if (key) return key
    throw new Unclear(`It needs a key with the scope ${scope}: --key ${scope}=KEY.`)
  }

  find(label: string): ObserverKey | undefined {
    return this.#keys.find((key) => key.label === label)
  }

  findLacking(object: ScopedObject): ObserverKey | undefined {
    return this.#keys.find(
      ({ scopes }) =>
        scopes !== null &&
        scopes.length > 0 &&
        scopes.every((scope) => scope !== '*' && !scope.startsWith(`${object}:`)),
    )
  }

  /** A key with scopes, but without those of an object. @throws Unclear */
  lacking(object: ScopedObject): ObserverKey {
    const key = this.findLacking(object)
    if (key) return key
    const other = object === 'annotation' ? 'plugin:read' : 'annotation:read'
    throw new Unclear(`It needs a key without scopes of ${object}s: --key ${other}=KEY.`)
  }

  /** A key that may write rows of an object, but not read them. @throws Unclear */
  writeOnly(): ObserverKey & { readonly object: 'annotation' | 'plugin' } {
    for (const object of ['annotation', 'plugin'] as const) {
      const key = this.#keys.find(
        ({ scopes }) => scopes?.includes(`${object}:write`) && !scopes.includes(`${object}:read`),
      )
      if (key) return { ...key, object }
    }
    throw new Unclear(
      'It needs a key that may write and not read: --key annotation:write=KEY or --key plugin:write=KEY.',
    )
  }
}
