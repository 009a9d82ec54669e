import type { Mask } from './redact-text.ts'

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

  /** @param isParameter whether it names a header, or a parameter of a query or a form: there `code` and `pin` are secret */
  has(name: string, isParameter = false): boolean {
    if (this.#added.has(name.toLowerCase())) return true
    if (!quickCheck.test(name)) return false
    const words = splitWords(name)
    return (
      words.some((word, index) => secretWord.test(word) || isSecretKey(word, words[index - 1])) ||
      (isParameter && words.length === 1 && parameterWord.test(words[0] as string))
    )
  }

  /** Returns the mask for the values of a name, or null if the name is not secret. */
  maskFor(name: string, mask: Mask, isParameter = false): Mask | null {
    if (this.has(name, isParameter))
      return (value) => (plainValue.test(value) ? value : mask(value))
    if (!/^key$/i.test(name)) return null
    return (value) => (opaqueValue.test(value) ? mask(value) : value)
  }
}

/** A name without any of these texts is not secret. Most names have none. */
const quickCheck = /token|secret|key|auth|sess|sig|pass|pin|code|cookie|credential|jwt/i

const secretWord =
  /^(?:o?auth|authentication|authorization|sessions?|sig|signatures?)$|(?:token|secret|password|passwd|passphrase|cookie|credential|jwt)s?$|sess(?:ion)?id$|(?:access|api|auth|client|encryption|master|private|secret|session|shared|signing)keys?$/

const parameterWord = /^(?:code|key|pass|pin)$/

/** `key` alone is an ordinary field, such as that of a setting of a plugin. */
function isSecretKey(word: string, before: string | undefined): boolean {
  return /^keys?$/.test(word) && before !== undefined && !ordinaryKey.test(before)
}

const ordinaryKey = /^(?:foreign|idempotency|primary|public|sort)$/

/** Values that are never secret: `Access-Control-Allow-Credentials: true`, `token_type=Bearer`. */
const plainValue = /^(?:|true|false|null|basic|bearer|digest)$/i

/** A value of a field `key` that is no ordinary word. */
const opaqueValue = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{16,}$/i

/** Splits `X-CSRFToken`, `accessToken` and `user[api_key]` into words in lower case. */
function splitWords(name: string): string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)
}

/** The known schemes. Any other first word may be part of the secret. */
const knownScheme = /^(?:Basic|Bearer|Digest|DPoP|HOBA|Mutual|Negotiate|OAuth|Token)\s+/i

/** Finds the secret part of a header. @returns null if headers of this name are not secret */
export function headerSecret(
  name: string,
  value: string,
  names: SecretNames,
): { readonly scheme: string; readonly secret: string } | null {
  if (!names.has(name, true) || plainValue.test(value)) return null
  const scheme = knownScheme.exec(value)?.[0] ?? ''
  return { scheme, secret: value.slice(scheme.length) }
}

/** Masks what looks like a secret in a text: `Bearer …` and JSON Web Tokens. */
export function redactLookalikes(text: string, mask: Mask): string {
  if (!/bearer|eyJ/i.test(text)) return text
  return text
    .replace(bearer, (match, scheme: string, token: string) =>
      /\d|.{20}/.test(token) ? scheme + mask(token) : match,
    )
    .replace(jsonWebToken, mask)
}

/** An ordinary word after it, as in "Bearer authentication", is shorter and has no digit. */
const bearer = /\b(Bearer(?:\s|%20|\+){1,8})([\w.~+/-]{8,}=*)/gi

const jsonWebToken =
  /(?:(?<![\w-])|(?<=_|\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2}))eyJ[\w-]{8,}(?:\.[\w-]*){2,4}/g
