import { decodePercent, percentEncode } from '../query.ts'

/** What a secret value is. Its replacement in a file says so. */
export type SecretKind = 'key' | 'secret' | 'email' | 'name' | 'person'

/** Whether a kind is personal data. The journal shows personal data, and files do not. */
export function isPersonal(kind: SecretKind): boolean {
  return kind !== 'key' && kind !== 'secret'
}

/** What the values of some names are, in the order in which they are tried. */
const kindsOfNames: ReadonlyArray<readonly [RegExp, SecretKind]> = [
  [/personal_api_key(?:\[.*)?$/is, 'key'],
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
]

/**
 * Returns what the values of a header, a parameter or a field are, or null if they are not secret. A name is split into
 * words, so `X-CSRFToken` is secret, and `monkey`, `keyboard` and `author` are not. src/scenarios/README.md lists the
 * words.
 *
 * @param isParameter whether it names a header, or a parameter of a query or a form: there `code` and `pin` are secret
 */
export function kindOfName(name: string, isParameter = false): SecretKind | null {
  if (!mayNameSecret.test(name)) return null
  const [, kind] = kindsOfNames.find(([pattern]) => pattern.test(name)) ?? []
  if (kind !== undefined) return kind
  const words = splitWords(name)
  return secretWords.test(words) || (isParameter && parameterWord.test(words)) ? 'secret' : null
}

/** A name without any of these texts is not secret, unless it is percent-encoded. Most texts have none. */
export const mayNameSecret: RegExp =
  /token|secret|key|auth|sess|sig|pass|pin|code|cookie|credential|jwt|otp|sid|assertion|name|phone|mail|distinct|%/i

/** `key` alone is an ordinary field, such as that of a value of a plugin. */
const secretWords = new RegExp(
  [
    '\\b(?:o?auth|authentication|authorization|sessions?|sig|signatures?)\\b',
    '(?:token|secret|password|passwd|passphrase|passcode|cookie|credential|jwt|otp)s?\\b',
    'sess(?:ion)?id\\b',
    '(?:access|api|auth|client|encryption|master|private|secret|session|shared|signing)keys?\\b',
    '(?<!^|\\b(?:foreign|idempotency|primary|public|sort) )\\bkeys?\\b',
  ].join('|'),
)

const parameterWord = /^(?:assertion|code|key|pass|pin|sid)$/

/** @example splitWords('X-CSRFToken') // 'x csrf token' */
function splitWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}

/** Whether a value is never secret: `Access-Control-Allow-Credentials: true`, `token_type=Bearer`, and times. */
export function isPlainValue(value: string): boolean {
  return plainValue.test(value)
}

const plainValue =
  /^(?:|true|false|null|basic|bearer|digest|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)$/i

/** Whether the value of a field `key` is no ordinary word. */
export function isOpaqueValue(value: string): boolean {
  return /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{16,}$/i.test(value)
}

/** A token starts after a character that is neither a letter nor a digit, or after an escape sequence. */
const afterEscape = '(?<=_|\\\\[bfnrt]|\\\\u[\\da-fA-F]{4}|%[\\da-fA-F]{2})'
const tokenStart = `(?:\\b|${afterEscape})`

/** Matches secret tokens of the service anywhere in a text. The token of a project (`phc_`) is public. */
export const apiKeyPattern: RegExp = new RegExp(`${tokenStart}ph(?!c_)[a-z]_[A-Za-z0-9]{16,}`, 'g')

interface SecretForm {
  readonly kind: SecretKind
  /** Its first group, if it has one, precedes the secret. */
  readonly pattern: RegExp
  /** Whether it is personal data, although a key */
  readonly isPublic?: boolean
}

/** Tokens of AWS, GitHub, Stripe, Slack, GitLab, npm, Google, OpenAI, Anthropic, Hugging Face, SendGrid and PyPI: how they begin, and go on. */
const tokens: ReadonlyArray<readonly [start: string, rest: string]> = [
  ['A[KS]IA', '[A-Z\\d]{16}(?![A-Za-z\\d])'],
  ['(?:gh[oprsu]|npm|hf)_', '[A-Za-z\\d]{30,}'],
  ['github_pat_', '\\w{22,}'],
  ['[rs]k_(?:live|test|org)_', '\\w{16,}'],
  ['whsec_', '[A-Za-z\\d+/]{16,}'],
  ['xox[a-z][-.]', '[\\w.-]{10,}'],
  ['xapp-', '[\\w-]{10,}'],
  ['gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|agent|oas|imt|ffct|wt)-', '[\\w-]{20,}(?:\\.\\w+)*'],
  ['GR1348941', '[\\w-]{20,}'],
  ['(?:AIza|GOCSPX-)', '[\\w-]{24,}'],
  ['ya29\\.', '[\\w-]{16,}'],
  ['1//0', '[\\w-]{30,}'],
  ['(?:sk|sess)-', '[\\w-]{20,}'],
  ['SG\\.', '[\\w-]{16,}\\.[\\w-]{16,}'],
  ['pypi-', '[\\w-]{40,}'],
]

/** Secrets that are recognized by their form, anywhere in a text. */
const forms: readonly SecretForm[] = [
  { kind: 'key', pattern: apiKeyPattern },
  // A token after `Bearer`, `Basic` or `Authorization: SCHEME`. An ordinary word, as in "Bearer authentication", is shorter and has no digit.
  {
    kind: 'secret',
    pattern:
      /(?<=\b(?:Bearer|Basic|authorization: ?[a-z]{2,20})(?:\s|%20|%09|\+|\\t){1,8})(?=[\w.~+/-]*\d|[\w.~+/-]{20})(?![\s+])[\w.~+/-]{8,}=*/gi,
  },
  // A JSON Web Token. Each word is read once, from its start, and only if two dots follow it.
  {
    kind: 'secret',
    pattern: new RegExp(
      `(?<![\\w-])(?=[\\w-]{11,}\\.[\\w-]*\\.)([\\w-]*?)(?:(?<![\\w-])|${afterEscape})eyJ[\\w-]{8,}(?:\\.[\\w-]*){2,4}`,
      'g',
    ),
  },
  // The password in a URL: https://user:password@host/. Some write `/` in it. After a port, a path begins.
  {
    kind: 'secret',
    pattern:
      /(?<=:(?:\\?\/){2}[^\s/?#@:"'<>\\[]*:)(?:[^\s/?#"'<>\\]+|(?!\d{1,5}[/?#])[^\s"'<>\\]{1,200})(?=@)/g,
  },
  // A token in the place of a user: https://token@host/
  {
    kind: 'secret',
    pattern: /(?<=:(?:\\?\/){2})(?=[^\s/?#@:"'<>\\]*\d)[^\s/?#@:"'<>\\]{16,}(?=@)/g,
  },
  {
    kind: 'secret',
    pattern: new RegExp(
      `${tokenStart}(?:${tokens.map(([start, rest]) => start + rest).join('|')})`,
      'g',
    ),
  },
  // The address of a webhook of Slack is its password.
  {
    kind: 'secret',
    pattern: /(?<=hooks\.slack\.com\\?\/(?:services|workflows|triggers)\\?\/)(?:\\?\/|\w){20,}/g,
  },
  // A private key in PEM or of PGP, with its headers.
  {
    kind: 'secret',
    pattern:
      /(-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*)(?:[\w+/=\s\\:,.()]+|-(?!----))+/g,
  },
  // The token of a project identifies it.
  { kind: 'key', pattern: new RegExp(`${tokenStart}phc_[A-Za-z0-9]{16,}`, 'g'), isPublic: true },
  // An e-mail address, also in a query. The match starts at a word boundary: starting within a long word is slow.
  {
    kind: 'email',
    pattern:
      /(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}._%+'-]|\\(?=[bfnrt])))[\p{L}\p{N}._%+'-]+(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu,
  },
]

/** Most texts have none of these, and so no secret. */
const mayHaveSecret = new RegExp(
  [
    ...tokens.map(([start]) => start),
    'ph[a-z]_|bearer|basic|authorization|eyJ|@|%40|hooks\\.slack|PRIVATE KEY',
  ].join('|'),
  'i',
)

/** @param replace gets a secret, its kind, and the start and the length of it in the text */
type ReplaceSecret = (value: string, kind: SecretKind, start: number, length: number) => string

/**
 * Replaces the secrets in a text that their form identifies.
 *
 * @param hidesPersonalData whether to replace e-mail addresses and the tokens of projects, too
 */
export function replaceByForm(
  text: string,
  hidesPersonalData: boolean,
  replace: ReplaceSecret,
): string {
  if (!mayHaveSecret.test(text)) return text
  return forms
    .filter(({ kind, isPublic }) => hidesPersonalData || !(isPublic || isPersonal(kind)))
    .reduce((replaced, form) => replaceForm(replaced, form, replace), text)
}

function replaceForm(text: string, { kind, pattern }: SecretForm, replace: ReplaceSecret): string {
  let [replaced, copied] = ['', 0]
  for (const { 0: match, 1: before = '', index } of text.matchAll(pattern)) {
    const start = index + before.length
    const value = match.slice(before.length)
    const isEncoded = kind === 'email' && !value.includes('@')
    const replacement = isEncoded
      ? percentEncode(replace(decodePercent(value), kind, start, value.length))
      : replace(value, kind, start, value.length)
    replaced += text.slice(copied, start) + replacement
    copied = start + value.length
  }
  return replaced + text.slice(copied)
}
