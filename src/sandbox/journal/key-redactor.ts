import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import { apiKeyPattern, isKeyFieldName, KnownSecrets } from '../../utils/redaction/secrets.ts'

/** Masks keys: known ones anywhere, unknown ones in the headers, parameters and fields that hold keys. */
export class KeyRedactor extends MessageRedactor {
  /** @param keys the values of known keys */
  constructor(keys: Iterable<string>) {
    const known = new KnownSecrets(keys)
    super({
      maskFor: (name) => (isKeyFieldName(name) ? maskKey : null),
      redactText: (text) => known.redact(text, maskKey).replace(apiKeyPattern, maskKey),
      maskHeader: maskKey,
      numberMask: '…',
    })
  }

  /** Masks the keys in a part of a body. @param path the path to it. The empty path is the body itself */
  part(value: unknown, path: readonly (string | number)[]): unknown {
    return this.json(value, path.some((step) => isKeyFieldName(String(step))) ? maskKey : null)
  }

  /** Masks the keys in headers. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
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
