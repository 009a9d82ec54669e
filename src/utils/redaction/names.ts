/** What a secret value is. Its replacement in a file says so. */
export type SecretKind = 'key' | 'secret' | 'email' | 'name' | 'person'

/** The words of secret names, in lower case. src/scenarios/README.md lists them for users. */
const secretNames = {
  /** The ends of words, in the plural, too */
  ends: 'token|secret|password|passwd|passphrase|passcode|cookie|credential|jwt|otp|pwd|sess(?:ion)?id',
  words: 'o?auth|authentication|authorization|sessions?|sig|signatures?',
  beforeKey: 'access|api|auth|client|encryption|master|private|secret|session|shared|signing',
  /** `key` is secret after any other word */
  beforePublicKey: 'foreign|idempotency|primary|public|sort',
  wholes: 'pass',
  /** Names of headers, and of parameters of queries and forms. Elsewhere they are ordinary fields. */
  parameters: 'assertion|code|key|pin|sid',
}

/** The names of personal data, and of the keys of the service. */
const kindsOfNames: ReadonlyArray<readonly [RegExp, SecretKind]> = [
  [/personal_api_key(?:\[.*)?$/is, 'key'],
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
]

const secretWords = new RegExp(
  [
    `\\b(?:${secretNames.words})\\b`,
    `(?:${secretNames.ends})s?\\b`,
    `(?:${secretNames.beforeKey})keys?\\b`,
    `(?<!^|\\b(?:${secretNames.beforePublicKey}) )\\bkeys?\\b`,
    `^(?:${secretNames.wholes})$`,
  ].join('|'),
)

const parameterWords = new RegExp(`^(?:${secretNames.parameters})$`)

/**
 * Returns what the values of a header, a parameter or a field are, or null if they are not secret. A name is split into
 * words, so `X-CSRFToken` is secret, and `monkey`, `keyboard` and `author` are not.
 *
 * @param isParameter whether it names a header, or a parameter of a query or a form: there `code` and `pin` are secret
 */
export function kindOfName(name: string, isParameter = false): SecretKind | null {
  if (!mayNameSecret.test(name)) return null
  const [, kind] = kindsOfNames.find(([pattern]) => pattern.test(name)) ?? []
  if (kind !== undefined) return kind
  const words = splitWords(name)
  return secretWords.test(words) || (isParameter && parameterWords.test(words)) ? 'secret' : null
}

/** A name without any of these texts is not secret, unless it is percent-encoded. Most texts have none. */
export const mayNameSecret = new RegExp(
  `auth|session|sig|key|name|phone|mail|distinct|%|${secretNames.ends}|${secretNames.wholes}|${secretNames.parameters}`,
  'i',
)

/** @example splitWords('X-CSRFToken') // 'x csrf token' */
function splitWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}

/** Whether a value is no ordinary word, but looks random. */
export function isOpaqueValue(value: string): boolean {
  return opaqueValue.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !hasAlias(value)
}

/** An alias of a file, percent-encoded or not. It stays. */
export const aliasForm = 'replaced-(?:email|key|name|person|secret)-\\d+(?:(?:@|%40)example\\.com)?'

const alias = new RegExp(aliasForm)

/** Whether a text was redacted before, so that what is left of it is no secret. */
export function hasAlias(text: string): boolean {
  return alias.test(text)
}

const opaqueValue = /^[\w+/=.~-]{16,}$/

/** The password of Basic credentials, a character for each byte. Undefined for any other text. */
export function passwordOf(credentials: string): string | undefined {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(credentials) || credentials.length % 4 !== 0) return undefined
  return /^[^:]*:(.*)$/s.exec(atob(credentials))?.[1]
}

/** Shorter values can be ordinary words, so they are hidden in secret fields only, not anywhere in a text. */
export const minSecretLength = 6
