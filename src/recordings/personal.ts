/** What is replaced: by it the replacement is named. */
export type Personal = 'email' | 'key' | 'name' | 'person' | 'secret'

/** Values that are as good as a password, by the end of their field's name. */
const secretName =
  /(?:^|[_-]|(?<=[a-z]))(?:token|secret|password|passwd|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)$/i

/** Names of people, and what else leads to one of them. */
const personalNames: ReadonlyArray<readonly [RegExp, Personal]> = [
  [/^personal_api_key(?:\[.*)?$/s, 'key'],
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
  [secretName, 'secret'],
]

/** What the value of a field is, by the field's name; null for one that may be told. */
export function personalBy(name: string): Personal | null {
  return personalNames.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** E-mail addresses wherever they stand. */
export const emailPattern: RegExp = /[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu

/** What keys of the service look like, wherever they stand. */
export const keyPattern: RegExp = /\bph[a-z]_[A-Za-z0-9]{16,}/g

/** Headers whose whole value is a secret, as far as they do not say what kind it is. */
export const secretHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]

/** How a header says what kind its secret is. */
export const scheme: RegExp = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** Shorter values are words that stand everywhere: they are replaced only where their field says what they are. */
export const shortest = 6
