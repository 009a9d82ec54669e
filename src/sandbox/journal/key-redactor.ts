import { MessageRedactor } from '../../utils/redaction/message-redactor.ts'
import { apiKeyPattern, isKeyFieldName, KnownSecrets } from '../../utils/redaction/secrets.ts'

/** Hides keys in what the journal shows: known ones wherever they stand, unknown ones where keys stand. */
export class KeyRedactor extends MessageRedactor {
  /** @param keys the values of the keys that are known */
  constructor(keys: Iterable<string>) {
    const known = new KnownSecrets(keys)
    super({
      maskFor: (name) => (isKeyFieldName(name) ? maskKey : null),
      redactText: (text) => known.redact(text, maskKey).replace(apiKeyPattern, maskKey),
      maskHeader: maskKey,
      numberMask: '…',
    })
  }

  /** What stands somewhere in a body, without keys; at no path at all, the body itself. */
  part(value: unknown, path: readonly (string | number)[]): unknown {
    return this.json(value, path.some((step) => isKeyFieldName(String(step))) ? maskKey : null)
  }

  /** Headers by their names. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
  }
}

/**
 * A key as it may be shown: the first four and the last four characters of a long one, of a short one what stands
 * before its first `_`.
 *
 * @example masked('phx_0123456789abcdef1234') // 'phx_…1234'
 * @example masked('phx_all') // 'phx_…'
 */
export function maskKey(key: string): string {
  if (key.length >= 16) {
    // By characters: half of one is no text.
    const characters = [...key]
    return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
  }
  return `${/^[a-z]{1,3}_/.exec(key)?.[0] ?? ''}…`
}
