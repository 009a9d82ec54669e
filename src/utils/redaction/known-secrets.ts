import { percentEncode, writeFormText } from '../query.ts'
import { escapeXml } from '../text.ts'
import { minSecretLength } from './names.ts'

/** A longer value is found by so many of its first characters. */
const headLength = 64

/** A known value in a text. The value is undefined if the text only begins like a long one. */
interface KnownSecret {
  readonly start: number
  readonly end: number
  readonly value: string | undefined
}

/**
 * Finds known values anywhere in a text: literal, percent-encoded, or escaped as in JSON and in HTML. At each place of a text at most 64
 * characters are read before they are a secret. What begins like a longer one is hidden to the end of the word.
 */
export class KnownSecrets {
  /** The lengths of heads by their first characters, longest first: a value may begin with another one */
  readonly #lengths = new Map<string, number[]>()
  /** The values by their forms, which begin with the same head */
  readonly #heads = new Map<string, Map<string, string>>()
  /** 1 where a form may begin, by a hash of two characters */
  readonly #starts = new Uint8Array(startCount)

  /** @param values values of fewer than 6 characters are ignored, because they can be ordinary words */
  constructor(values: Iterable<string> = []) {
    for (const value of values) this.add(value)
  }

  add(value: string): void {
    if (value.length < minSecretLength) return
    const inJson = JSON.stringify(value).slice(1, -1)
    // A page of an error shows an apostrophe in one of two ways.
    const inHtml = ['&#39;', '&#x27;'].map((mark) => escapeXml(value).split("'").join(mark))
    for (const form of [inJson, percentEncode(value), writeFormText(value), ...inHtml, value]) {
      const head = form.slice(0, headLength)
      const forms = this.#heads.get(head) ?? new Map<string, string>()
      this.#heads.set(head, forms.set(form, value))
      this.#starts[startAt(form, 0)] = 1
      const start = form.slice(0, minSecretLength)
      const lengths = this.#lengths.get(start) ?? []
      if (lengths.includes(head.length)) continue
      this.#lengths.set(
        start,
        [...lengths, head.length].sort((a, b) => b - a),
      )
    }
  }

  /** Finds the first one from a place on. */
  find(text: string, from: number): KnownSecret | undefined {
    if (this.#lengths.size === 0) return undefined
    for (let start = from; start <= text.length - minSecretLength; start++) {
      if (this.#starts[startAt(text, start)] === 0) continue
      const lengths = this.#lengths.get(text.slice(start, start + minSecretLength)) ?? []
      for (const length of lengths) {
        const forms = this.#heads.get(text.slice(start, start + length))
        if (forms) return longestOf(forms, text, start, length)
      }
    }
    return undefined
  }
}

/** The longest of the forms with the same head. @param length that of the head */
function longestOf(
  forms: ReadonlyMap<string, string>,
  text: string,
  start: number,
  length: number,
): KnownSecret {
  let end = 0
  for (const form of forms.keys())
    if (form.length > end && text.startsWith(form, start)) end = form.length
  if (end > 0) return { start, end: start + end, value: forms.get(text.slice(start, start + end)) }
  const rest = new RegExp(restOfWord)
  rest.lastIndex = start + length
  return { start, end: rest.lastIndex + (rest.exec(text)?.[0].length ?? 0), value: undefined }
}

const startCount = 4_096

function startAt(text: string, index: number): number {
  return (text.charCodeAt(index) * 61 + text.charCodeAt(index + 1)) % startCount
}

const restOfWord = /[^\s&<>,;!?]*/y
