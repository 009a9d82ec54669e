import { KnownSecrets } from './known-secrets.ts'
import { Redactor, type Replacement } from './redactor.ts'
import { replaceByForm, type SecretKind } from './secrets.ts'

/** Masks secrets: known keys anywhere, of which parts are shown, others by the names of headers, parameters and fields, and by their form. */
export class KeyRedactor extends Redactor {
  /**
   * @param keys the values of known keys
   * @param redact further names of secrets
   */
  constructor(keys: Iterable<string>, redact: readonly string[] = []) {
    const known = new KnownSecrets(keys)
    const replace = (value: string, kind: SecretKind): string =>
      kind === 'key' ? maskKey(value) : '…'
    const strategy: Replacement = {
      hidesPersonalData: false,
      replace,
      replaceInText: (text) => replaceByForm(known.replace(text, maskKey), false, replace),
      number: '…',
    }
    super(strategy, redact)
  }
}

/**
 * Masks a key. A long key shows its first and last four characters, a short one only its prefix up to the first `_`.
 *
 * @example maskKey('phx_0123456789abcdef1234') // 'phx_…1234'
 * @example maskKey('phx_all') // 'phx_…'
 */
export function maskKey(key: string): string {
  if (key.length >= 16) {
    // Splits by code point, so that no surrogate pair is cut.
    const characters = [...key]
    return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
  }
  return `${/^[a-z]{1,3}_/.exec(key)?.[0] ?? ''}…`
}
