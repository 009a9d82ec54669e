import { MessageRedactor } from '../secrets/hider.ts'
import { KnownSecrets } from '../secrets/known.ts'
import { apiKeyPattern, isKeyFieldName } from '../secrets/places.ts'
import { maskKey } from './masked.ts'

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
