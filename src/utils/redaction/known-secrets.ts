import { percentEncode, writeFormText } from '../query.ts'
import { escapeXml } from '../text.ts'
import { minSecretLength, type SecretKind } from './names.ts'

/** A longer value is found by so many of its first characters. */
const headLength = 64

/** The memory of a form besides its characters, in bytes */
const formBytes = 300

/** A known value in a text: a key, or what only begins like a long one. */
export interface KnownSecret {
  readonly start: number
  readonly end: number
  readonly value: string
  readonly kind: SecretKind
}

/**
 * Finds known values anywhere in a text: literal, percent-encoded, or escaped as in JSON and in HTML. At each place of a text at most 64
 * characters are read before they are a secret. What begins like a longer one is hidden to the end of the word.
 */
export class KnownSecrets {
  /** The values by their forms, by the first characters of these */
  readonly #heads = new Map<string, Map<string, string>>()
  /** How many characters these are, most first, since a value may begin with another one: by a hash of the first two */
  readonly #lengths = new Array<readonly number[]>(startCount)

  /** The memory of all forms, roughly, in bytes: a value has up to six, of up to six times its length */
  size = 0

  /** Adds a value. One of fewer than 6 characters is ignored, because it can be an ordinary word. */
  add(value: string): void {
    if (value.length < minSecretLength) return
    const inJson = JSON.stringify(value).slice(1, -1)
    // A page of an error shows an apostrophe in one of two ways.
    const inHtml = ['&#39;', '&#x27;'].map((mark) => escapeXml(value).replaceAll("'", mark))
    for (const form of [inJson, percentEncode(value), writeFormText(value), ...inHtml, value]) {
      const head = form.slice(0, headLength)
      const forms = this.#heads.get(head) ?? new Map<string, string>()
      if (!forms.has(form)) this.size += formBytes + form.length
      this.#heads.set(head, forms.set(form, value))
      const start = startAt(form, 0)
      const lengths = this.#lengths[start] ?? []
      if (!lengths.includes(head.length))
        this.#lengths[start] = [...lengths, head.length].sort((a, b) => b - a)
    }
  }

  /** Finds the first one from a place on. */
  find(text: string, from: number): KnownSecret | undefined {
    if (this.#heads.size === 0) return undefined
    for (let start = from; start <= text.length - minSecretLength; start++) {
      const lengths = this.#lengths[startAt(text, start)]
      if (lengths === undefined) continue
      for (const length of lengths) {
        const forms = this.#heads.get(text.slice(start, start + length))
        if (forms) return longestOf(forms, text, start, length)
      }
    }
    return undefined
  }
}

/** The longest of the forms that begin alike. @param length how many characters are alike */
function longestOf(
  forms: ReadonlyMap<string, string>,
  text: string,
  start: number,
  length: number,
): KnownSecret {
  let [longest, value] = ['', '']
  for (const [form, secret] of forms)
    if (form.length > longest.length && text.startsWith(form, start))
      [longest, value] = [form, secret]
  if (value !== '') return { start, end: start + longest.length, value, kind: 'key' }
  const rest = text.slice(start + length).search(/[\s&<>,;!?]/)
  const end = rest < 0 ? text.length : start + length + rest
  return { start, end, value: text.slice(start, end), kind: 'secret' }
}

/** How many hashes there are. Few: each redactor has them, and each sandbox a redactor. */
const startCount = 512

function startAt(text: string, index: number) {
  return (text.charCodeAt(index) * 61 + text.charCodeAt(index + 1)) % startCount
}
