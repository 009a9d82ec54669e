/** What a secret value is. Its replacement in a file says so. */
export type SecretKind = 'key' | 'secret' | 'email' | 'name' | 'person'

const endsOfSecret =
  'token|secret|password|passwd|passphrase|passcode|cookie|credential|jwt|otp|pwd|sess(?:ion)?id|' +
  '[cx]srf|verifier|saml.?response|smtp.?pass|(?:mfa|recovery|verification).?code'

/** Names of headers, and of parameters of queries and forms. Elsewhere they are ordinary fields. */
const parameters = 'assertion|code|key'

/** The words of names, in lower case: of keys of the service, of personal data, and of secrets. src/scenarios/README.md lists them for users. */
const kindsOfWords: ReadonlyArray<readonly [RegExp, SecretKind]> = [
  [/personal api key$/, 'key'],
  [/^(?:first|last|middle|full|given|family|display|user|nick) ?name$|^surname$/, 'name'],
  [/^distinct ?id$|^phone(?: ?number)?$/, 'person'],
  [/^e ?mail(?: ?address)?$/, 'email'],
  [/^(?:pass|pin|(?:connect )?sid)$|client assertion$/, 'secret'],
  [new RegExp(`(?:${endsOfSecret})s?\\b`), 'secret'],
  [/\b(?:o?auth|authentication|authorization|sessions?|sig|signatures?)\b/, 'secret'],
  [
    /(?:access|api|auth|client|encryption|master|private|secret|session|shared|signing|ssh)key(?:s|id)?\b/,
    'secret',
  ],
  [/(?<!^|\b(?:foreign|idempotency|primary|public|sort) )\bkeys?\b/, 'secret'],
]

const wholeParameter = new RegExp(`^(?:${parameters})$`)

/** A name without any of these texts is not secret, unless it is percent-encoded. Most texts have none. */
export const mayNameSecret = new RegExp(
  `auth|session|sig|key|name|phone|mail|distinct|%|pass|pin|sid|${endsOfSecret}|${parameters}`,
  'i',
)

/**
 * Returns what the values of a header, a parameter or a field are, or null if they are not secret. A name is split into
 * words, so `X-CSRFToken` is secret, and `monkey`, `keyboard` and `author` are not.
 *
 * @param isParameter whether it names a header, or a parameter of a query or a form: there `code` and `key` are secret
 */
export function kindOfName(name: string, isParameter = false): SecretKind | null {
  if (!mayNameSecret.test(name)) return null
  // The case of a name may say nothing, as in `aUtHoRiZaTiOn`.
  const lower = name.toLowerCase()
  const ways = (lower === name ? [name] : [name, lower]).map(splitWords)
  const isOf = (pattern: RegExp) => ways.some((words) => pattern.test(words))
  const [, kind] = kindsOfWords.find(([pattern]) => isOf(pattern)) ?? []
  return kind ?? (isParameter && isOf(wholeParameter) ? 'secret' : null)
}

/** @example splitWords('X-CSRFToken') // 'x csrf token' */
function splitWords(name: string) {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}

/** The fields of a pair, such as `{ "name": "token", "value": "…" }`. */
export const nameField = /^(?:k|key|name)$/i
export const valueField = /^(?:v|value|content)$/i

/** Whether a value is no ordinary word, but looks random. */
export function isOpaqueValue(value: string): boolean {
  return opaqueValue.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !hasAlias(value)
}

/** An alias of a file, percent-encoded or not. It stays. */
export const aliasForm = 'replaced-(?:email|key|name|person|secret)-\\d+(?:(?:@|%40)example\\.com)?'

const alias = new RegExp(aliasForm)

const wholeAlias = new RegExp(`^(?:${aliasForm})$`)

/** Whether a text or a number is what took the place of another one. */
export function isAlias(value: string | number): boolean {
  if (typeof value === 'string') return wholeAlias.test(value)
  return /^10{2,}$/.test(String(value).replace(/\D/g, ''))
}

/** Whether a text was redacted before, so that what is left of it is no secret. */
export function hasAlias(text: string): boolean {
  return alias.test(text)
}

/** What sanitizers write in the place of a text: `***`, `[REDACTED]` or `[content redacted]`. */
export const mask =
  /^(?:\*{3,}|[[(<](?:\w+ )?(?:redacted|hidden|masked|removed|sanitized|filtered)[\])>])$/i

const opaqueValue = /^[\w+/=.~-]{16,}$/

/** The password of Basic credentials, a character for each byte. Undefined for any other text. */
export function passwordOf(credentials: string): string | undefined {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(credentials) || credentials.length % 4 !== 0) return undefined
  return /^[^:]*:(.*)$/s.exec(atob(credentials))?.[1]
}

/** Shorter values can be ordinary words, so they are hidden in secret fields only, not anywhere in a text. */
export const minSecretLength = 6

/** Tokens of AWS, GitHub, Stripe, Slack, GitLab, npm, Google, OpenAI, Anthropic, Hugging Face, SendGrid and PyPI */
const tokens = [
  'A[KS]IA[A-Z\\d]{16}(?![A-Za-z\\d])',
  '(?:gh[oprsu]|npm|hf)_[A-Za-z\\d]{30,}',
  'github_pat_\\w{22,}',
  '[rs]k_(?:live|test|org)_\\w{16,}',
  'whsec_[A-Za-z\\d+/]{16,}',
  'xox[a-z][-.][\\w.-]{10,}',
  'xapp-[\\w-]{10,}',
  'gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|agent|oas|imt|ffct|wt)-[\\w-]{20,}(?:\\.\\w+)*',
  'GR1348941[\\w-]{20,}',
  '(?:AIza|GOCSPX-)[\\w-]{24,}',
  'ya29\\.[\\w-]{16,}',
  '1//0[\\w-]{30,}',
  '(?:sk|sess)-[\\w-]{20,}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
  'pypi-[\\w-]{40,}',
]

/** A key or a token, as it begins */
export const tokenForm = `(ph[a-z]_[A-Za-z0-9]{16,})|(${tokens.join('|')})|(eyJ)(?=[\\w-]{8})`
