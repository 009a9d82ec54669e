import { percentEncode, writeFormText } from '../query.ts'
import { escapeXml } from '../text.ts'

/** Shorter values can be ordinary words, so they are hidden in secret fields only, not anywhere in a text. */
export const minSecretLength = 6

/** The forms of one length that begin alike. */
interface FormsOfLength {
  readonly length: number
  readonly hashes: Set<number>
}

/**
 * Replaces known values anywhere in a text: literal, percent-encoded, or escaped as in JSON and in HTML. Values have any length, so no
 * expression is made of them. The time that a text takes is in proportion to its length.
 */
export class KnownSecrets {
  /** The values by their forms */
  readonly #values = new Map<string, string>()
  /** By the first characters of the forms. Longest first, because a value may begin with another one. */
  readonly #forms = new Map<string, FormsOfLength[]>()
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
    const forms = [inJson, percentEncode(value), writeFormText(value), ...inHtml, value]
    for (const form of new Set(forms)) {
      this.#values.set(form, value)
      this.#starts[startAt(form, 0)] = 1
      const head = form.slice(0, minSecretLength)
      const alike = this.#forms.get(head) ?? []
      let ofLength = alike.find(({ length }) => length === form.length)
      if (!ofLength) {
        ofLength = { length: form.length, hashes: new Set() }
        alike.push(ofLength)
        this.#forms.set(
          head,
          alike.sort((a, b) => b.length - a.length),
        )
      }
      ofLength.hashes.add(new PartHashes(form).of(0, form.length))
    }
  }

  /** @param replace gets a known value, and the start and the length of its form in the text */
  replace(text: string, replace: (value: string, start: number, length: number) => string): string {
    let [replaced, copied] = ['', 0]
    let hashes: PartHashes | undefined
    for (let start = 0; start <= text.length - minSecretLength; start++) {
      if (this.#starts[startAt(text, start)] === 0) continue
      const alike = this.#forms.get(text.slice(start, start + minSecretLength))
      if (!alike) continue
      hashes ??= new PartHashes(text)
      const form = this.#longestAt(start, text, alike, hashes)
      if (form === undefined) continue
      const value = this.#values.get(form) as string
      replaced += text.slice(copied, start) + replace(value, start, form.length)
      copied = start + form.length
      start = copied - 1
    }
    return replaced + text.slice(copied)
  }

  #longestAt(
    start: number,
    text: string,
    alike: readonly FormsOfLength[],
    parts: PartHashes,
  ): string | undefined {
    for (const { length, hashes } of alike) {
      if (length > text.length - start || !hashes.has(parts.of(start, length))) continue
      const form = text.slice(start, start + length)
      if (this.#values.has(form)) return form
    }
    return undefined
  }
}

const startCount = 4_096

function startAt(text: string, index: number): number {
  return (text.charCodeAt(index) * 61 + text.charCodeAt(index + 1)) % startCount
}

const hashBase = 0x01000193

/** Hashes any part of a text in constant time, so that comparing it with a long value does not read it each time. */
class PartHashes {
  /** The hash of the text up to each index */
  readonly #sums: Int32Array

  constructor(text: string) {
    const sums = new Int32Array(text.length + 1)
    let sum = 0
    for (let index = 0; index < text.length; index++) {
      sum = (Math.imul(sum, hashBase) + text.charCodeAt(index)) | 0
      sums[index + 1] = sum
    }
    this.#sums = sums
  }

  of(start: number, length: number): number {
    const [before, all] = [this.#sums[start], this.#sums[start + length]] as [number, number]
    return (all - Math.imul(before, powerOf(length))) | 0
  }
}

/** The hash base to the power of a length. */
function powerOf(length: number): number {
  let [power, square] = [1, hashBase]
  for (let bits = length; bits > 0; bits >>= 1) {
    if (bits & 1) power = Math.imul(power, square)
    square = Math.imul(square, square)
  }
  return power
}
