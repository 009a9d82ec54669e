import { escapeRegExp } from '../escape.ts'

/** What a secret value is. Its replacement in a file says so. */
export type SecretKind = 'key' | 'secret' | 'email' | 'name' | 'person'

/** Whether a kind is personal data. The journal shows personal data, and files do not. */
export function isPersonal(kind: SecretKind): boolean {
  return kind !== 'key' && kind !== 'secret'
}

/** Whether a parameter or body field holds an API key: `personal_api_key`, `personal_api_key[]`. */
function isKeyFieldName(name: string): boolean {
  return /personal_api_key(?:\[.*)?$/is.test(name)
}

/** Fields for names of people, and ways to reach them. */
const personalNames: ReadonlyArray<readonly [RegExp, SecretKind]> = [
  [/^(?:first|last|middle|full|given|family|display|user|nick)_?name$|^surname$/i, 'name'],
  [/^distinct_?id$|^phone(?:_?number)?$/i, 'person'],
  [/^e_?mail(?:_?address)?$/i, 'email'],
]

/**
 * Finds secrets by the names of headers, parameters and fields. A name is split into words, so `X-CSRFToken` is secret,
 * and `monkey`, `keyboard` and `author` are not. src/scenarios/README.md lists the words.
 */
export class SecretNames {
  readonly #added: ReadonlySet<string>

  /** @param added further names of secrets, without case */
  constructor(added: readonly string[] = []) {
    this.#added = new Set(added.map((name) => name.toLowerCase()))
  }

  /**
   * Returns what the values of a name are, or null if they are not secret.
   *
   * @param isParameter whether it names a header, or a parameter of a query or a form: there `code` and `pin` are secret
   */
  kindOf(name: string, isParameter = false): SecretKind | null {
    if (this.#added.has(name.toLowerCase())) return 'secret'
    if (isKeyFieldName(name)) return 'key'
    const [, personalKind] = personalNames.find(([pattern]) => pattern.test(name)) ?? []
    return personalKind ?? (namesSecret(name, isParameter) ? 'secret' : null)
  }
}

/** A name without any of these texts is not secret. Most names have none. */
const mayNameSecret =
  /token|secret|key|auth|sess|sig|pass|pin|code|cookie|credential|jwt|otp|sid|assertion/i

const secretWord =
  /^(?:o?auth|authentication|authorization|sessions?|sig|signatures?)$|(?:token|secret|password|passwd|passphrase|passcode|cookie|credential|jwt|otp)s?$|sess(?:ion)?id$|(?:access|api|auth|client|encryption|master|private|secret|session|shared|signing)keys?$/

const parameterWord = /^(?:assertion|code|key|pass|pin|sid)$/

function namesSecret(name: string, isParameter: boolean): boolean {
  if (!mayNameSecret.test(name)) return false
  const words = splitWords(name)
  return (
    words.some((word, index) => secretWord.test(word) || isSecretKey(word, words[index - 1])) ||
    (isParameter && words.length === 1 && parameterWord.test(words[0] as string))
  )
}

/** `key` alone is an ordinary field, such as that of a value of a plugin. */
function isSecretKey(word: string, before: string | undefined): boolean {
  return /^keys?$/.test(word) && before !== undefined && !ordinaryKey.test(before)
}

const ordinaryKey = /^(?:foreign|idempotency|primary|public|sort)$/

/** Splits `X-CSRFToken`, `accessToken` and `user[api_key]` into words in lower case. */
function splitWords(name: string): string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
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

/** A secret that is recognized by its form, anywhere in a text. */
interface SecretForm {
  readonly kind: SecretKind
  readonly pattern: RegExp
  /** A text without it has no such secret. It is found in a tenth of the time of the pattern. */
  readonly hint: RegExp
  /** Whether it is personal data, although a key. */
  readonly isPublic?: boolean
  readonly isEncoded?: boolean
}

/** A token starts after a character that is neither a letter nor a digit, or after an escape sequence. */
const tokenStart = '(?:\\b|(?<=_|\\\\[bfnrt]|\\\\u[\\da-f]{4}|%[\\da-f]{2}))'

/** Matches secret tokens of the service anywhere in a text. The token of a project (`phc_`) is public. */
export const apiKeyPattern: RegExp = new RegExp(`${tokenStart}ph(?!c_)[a-z]_[A-Za-z0-9]{16,}`, 'g')

/** The formats in which services issue tokens, as scanners for secrets publish them: a part of the text, and a pattern. */
const issuedTokens: readonly (readonly [hint: string, pattern: string])[] = [
  // GitHub
  ['gh[oprsu]_', 'gh[oprsu]_[A-Za-z0-9]{20,}'],
  ['github_pat_', 'github_pat_\\w{20,}'],
  // GitLab
  ['gl[a-z]{2,6}-', 'gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|ffct)-[\\w-]{20,}'],
  // Stripe
  ['[prs]k_(?:live|test|prod)_', '[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}'],
  ['whsec_', 'whsec_[A-Za-z0-9+/=]{20,}'],
  // Amazon Web Services
  ['AKIA|ASIA|ABIA|ACCA', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  // Slack
  ['xox', 'xox[abeoprs]-[\\w-]{10,}'],
  ['xapp-', 'xapp-\\d-[\\w-]{10,}'],
  // Google
  ['AIza', 'AIza[\\w-]{35}'],
  ['ya29', 'ya29\\.[\\w-]{20,}'],
  ['GOCSPX-', 'GOCSPX-[\\w-]{20,}'],
  // npm, PyPI, Hugging Face, DigitalOcean, Shopify, SendGrid, OpenAI, Anthropic
  ['npm_', 'npm_[A-Za-z0-9]{36}'],
  ['pypi-', 'pypi-[\\w-]{50,}'],
  ['hf_', 'hf_[A-Za-z0-9]{30,}'],
  ['do[opr]_v1_', 'do[opr]_v1_[a-f0-9]{64}'],
  ['shp[a-z]{2,3}_', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'],
  ['SG\\.', 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}'],
  ['sk-', 'sk-(?=[\\w-]*\\d)[\\w-]{32,}'],
]

const forms: readonly SecretForm[] = [
  { kind: 'key', pattern: apiKeyPattern, hint: /ph[a-z]_/ },
  // The token of a project identifies it.
  {
    kind: 'key',
    pattern: new RegExp(`${tokenStart}phc_[A-Za-z0-9]{16,}`, 'g'),
    hint: /phc_/,
    isPublic: true,
  },
  // A token after `Bearer`. An ordinary word, as in "Bearer authentication", is shorter and has no digit.
  {
    kind: 'secret',
    pattern:
      /(?<=\bBearer(?:\s|%20|\+){1,8})(?=[\w.~+/-]*\d|[\w.~+/-]{20})(?![\s+])[\w.~+/-]{8,}=*/gi,
    hint: /bearer/i,
  },
  // A JSON Web Token.
  {
    kind: 'secret',
    pattern:
      /(?:(?<![\w-])|(?<=_|\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}))eyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g,
    hint: /eyJ/,
  },
  // Tokens of other services, which begin with a name of their issuer.
  ...issuedTokens.map(
    ([hint, rest]): SecretForm => ({
      kind: 'secret',
      pattern: new RegExp(`${tokenStart}${rest}`, 'g'),
      hint: new RegExp(hint),
    }),
  ),
  // The password in a URL: https://user:password@host/
  {
    kind: 'secret',
    pattern: /(?<=:(?:\\?\/){2}[^\s/?#@:"'<>\\]{0,200}:)[^\s/?#"'<>\\]{1,500}(?=@)/g,
    hint: /@/,
  },
  // An e-mail address. The match starts at a word boundary: starting within a long word is slow.
  {
    kind: 'email',
    pattern:
      /(?:(?<=\\[bfnrt])|(?<![\p{L}\p{N}._%+'-]|\\(?=[bfnrt])))[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu,
    hint: /@/,
  },
  // An e-mail address in a query, such as in the link to the next page.
  {
    kind: 'email',
    pattern: /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+%40(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu,
    hint: /%40/,
    isEncoded: true,
  },
]

const mayHaveSecret = new RegExp(forms.map(({ hint }) => hint.source).join('|'), 'i')

/**
 * Replaces the secrets in a text that their form identifies.
 *
 * @param hidesPersonalData whether to replace e-mail addresses and the tokens of projects, too
 * @param replace gets a secret, its kind, and the text from the secret on
 */
export function replaceByForm(
  text: string,
  hidesPersonalData: boolean,
  replace: (value: string, kind: SecretKind, rest: string) => string,
): string {
  if (!mayHaveSecret.test(text)) return text
  return forms
    .filter(({ kind, isPublic = isPersonal(kind) }) => hidesPersonalData || !isPublic)
    .reduce((replaced, { kind, pattern, hint, isEncoded }) => {
      if (!hint.test(replaced)) return replaced
      return replaced.replace(pattern, (value, at: number, all: string) =>
        isEncoded
          ? percentEncode(replace(decodePercent(value), kind, ''))
          : replace(value, kind, all.slice(at)),
      )
    }, text)
}

/** Shorter values can be ordinary words, so they are hidden in secret fields only, not anywhere in a text. */
export const minSecretLength = 6

const escapeSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Replaces known values anywhere in a text: literal, percent-encoded, or escaped as in JSON. */
export class KnownSecrets {
  readonly #values = new Map<string, string>()
  readonly #pattern: RegExp | null
  readonly #shortestLength: number

  /** @param values values of fewer than 6 characters are ignored, because they can be ordinary words */
  constructor(values: Iterable<string>) {
    for (const value of values) {
      if (value.length < minSecretLength) continue
      const encoded = percentEncode(value)
      // As Python writes queries, and as browsers do.
      const inQuery = encoded.replace(/[!'()*]/g, escapeSign).replaceAll('%20', '+')
      const inForm = new URLSearchParams([['', value]]).toString().slice(1)
      const forms = [JSON.stringify(value).slice(1, -1), encoded, inQuery, inForm, value]
      for (const form of forms) this.#values.set(form, value)
    }
    // Longest first, because a value may begin with another one.
    const forms = [...this.#values.keys()].sort((a, b) => b.length - a.length)
    this.#shortestLength = forms.at(-1)?.length ?? 0
    this.#pattern = forms.length === 0 ? null : new RegExp(forms.map(escapeRegExp).join('|'), 'g')
  }

  get count(): number {
    return this.#values.size
  }

  /** @param replace gets a known value, and the start and the length of its form in the text */
  replace(text: string, replace: (value: string, start: number, length: number) => string): string {
    if (!this.#pattern || text.length < this.#shortestLength) return text
    return text.replace(this.#pattern, (form, start: number) =>
      replace(this.#values.get(form) as string, start, form.length),
    )
  }
}

/** Percent-encodes a text. A lone surrogate, which has no encoding, becomes U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Decodes a text of a query or a form, in which `+` is a space. Invalid encodings stay. */
export function decodeFormText(text: string): string {
  if (!/[%+]/.test(text)) return text
  return new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') as string
}

/** Decodes a percent-encoded text, in which `+` is itself. Invalid encodings stay. */
export function decodePercent(text: string): string {
  return decodeFormText(text.replaceAll('+', '%2B'))
}
