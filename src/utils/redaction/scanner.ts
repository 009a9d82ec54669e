import { decodeFormText, percentEncode } from '../query.ts'
import { applyEdits, type Edit } from './decoded.ts'
import type { KnownSecret, KnownSecrets } from './known-secrets.ts'
import {
  aliasForm,
  hasAlias,
  isOpaqueValue,
  nameField,
  passwordOf,
  type SecretKind,
  tokenForm,
  valueField,
} from './names.ts'

/** A way to replace secrets: by a mask for people, or by an alias for files. */
export interface Replacement {
  /** What is looked for: keys and the values of names, other secrets, too, or also people and ways to reach them */
  readonly finds: 'names' | 'secrets' | 'people'
  /** Secrets that are replaced anywhere. */
  readonly known?: KnownSecrets
  /**
   * Replaces a value that its name or its form identifies.
   *
   * @param parameter the lower-case name if it is that of a header or a parameter
   * @param mayBeWord whether the value may be an ordinary word: it is in an object with a secret name, or in a text
   */
  replace(value: string, kind: SecretKind, parameter?: string, mayBeWord?: boolean): string
  /** Returns the JSON that replaces a number in a secret field. */
  number(written: string): string
}

export interface Replace {
  (value: string, mayBeWord?: boolean): string
  /** Whether it replaces only values that look random: that of `key` can be a text with names of its own. */
  readonly isDoubtful?: boolean
  /** Whether it replaces keys, which are hidden also within a secret that is kept */
  readonly isKey?: boolean
}

/** Finds the function that replaces the values of a name. Null if they are not secret. */
export type FindReplace = (name: string, isParameter?: boolean) => Replace | null

interface Found extends Edit {
  /** Whether a known secret cuts it: an address, or an alias of a file, which stays */
  readonly isCut?: boolean
}

/** A token starts after a character that is neither a letter nor a digit, or after an escape sequence. */
const tokenStart = '(?:\\b|(?<=_|\\\\[bfnrt]|\\\\u[\\da-fA-F]{4}|%[\\da-fA-F]{2}))'

const quote = '\\\\{0,8}["\'`]|&(?:quot|QUOT|apos|#[xX]2[27]|#0?3[49]);'
const noName = '\\s?&"\'`<>#(),;=:\\\\'

/** A word in any case: the expression of all heads has no flag for a part. */
const anyCase = (word: string) =>
  word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

const schemeForm = `(${anyCase('bearer|basic')}|${anyCase('authorization')}: ?[A-Za-z]{2,20})(?:\\s|%20|%09|\\+|\\\\t){1,8}(?:${quote})?`

/** A name with its sign, or a text of a list that another one follows */
const nameForm = `(?=[=:]|(?<=["']),)(?<=([?&;]?)([^${noName}]{1,200})(?:${quote})?[ \\t]{0,20})(?:={1,3}>?|:=?|,)[ \\t]{0,20}`

/** Secrets that their form identifies, as they begin. The address of a webhook of Slack is its password. */
const formHeads = [
  `(${aliasForm})`,
  // To look first at two characters of a token takes a quarter less time.
  `(?=[AGSeghnprswxy1][GIKORSaefhiklopy/])${tokenStart}(?:${tokenForm})`,
  `${anyCase('hooks\\.slack\\.com')}\\\\?/(?:services|workflows|triggers)\\\\?/((?:\\\\?/|\\w){20,})`,
  `\\b${schemeForm}`,
  '((?:\\\\?/){2,})',
  '(-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)',
  '(@|&(?:#64|#[xX]40|commat);|\\\\u0040)',
]

/**
 * How secrets begin. An alternative fails within a bounded number of characters: only what is last in it has no bound. Its groups
 * have no names, since an object of them would be made for each match.
 */
export const heads = new RegExp(
  [...formHeads, nameForm, '>(?<=<([\\w.:-]{1,100})>)'].join('|'),
  'g',
)

const formHead = new RegExp(formHeads.join('|'))

/**
 * Finds the secrets in a text. The text is read once, from its start to its end. `heads` finds where a secret may begin, and a method
 * reads it from there. What it has read is replaced, and reading goes on behind it, or it is noted as plain, and not read again.
 */
export function findSecrets(
  text: string,
  strategy: Replacement,
  findReplace: FindReplace | null,
): readonly Edit[] {
  const mayHaveForm = findReplace !== null || formHead.test(text)
  let secret = strategy.known?.find(text, 0)
  if (!mayHaveForm && !secret) return []
  const reader = new Reader(text, strategy, findReplace)
  const edits: Edit[] = []
  let form = mayHaveForm ? reader.next(0) : undefined
  for (let next = reader.choose(form, secret); next; next = reader.choose(form, secret)) {
    const { start, end, replacement } = next
    // What is only learned stays.
    if (replacement !== text.slice(start, end)) edits.push(next)
    if (form && form.start < end) form = reader.next(end)
    if (secret && secret.start < end) secret = strategy.known?.find(text, end)
  }
  return edits
}

class Reader {
  readonly #text: string
  readonly #strategy: Replacement
  readonly #findReplace: FindReplace | null
  /** Up to where no JSON Web Token begins, no value that looks random, no name, and no name of a key */
  readonly #plain = { jwt: 0, value: 0, name: 0, key: 0 }
  /** The replacer of the value of a pair such as `name="csrf_token" value="…"`, and up to where it is one */
  #pair = { replace: null as Replace | null, end: 0 }
  /** The next name of a pair that can follow its value, and where it is */
  #nextName = { replace: null as Replace | null, index: -1 }

  constructor(text: string, strategy: Replacement, findReplace: FindReplace | null) {
    this.#text = text
    this.#strategy = strategy
    this.#findReplace = findReplace
  }

  /** What is replaced next: what begins first, or else is longer. Secrets that overlap are one, but an address is cut. */
  choose(form: Found | undefined, known: KnownSecret | undefined): Found | undefined {
    if (!known || (form && form.end <= known.start)) return form
    const { start, end, value, kind } = known
    if (form && form.start < end) {
      const isAround = form.start <= start && form.end >= end
      const isInside = form.start >= start && form.end <= end
      if (isAround && !isInside) return form
      if (!isInside && !form.isCut)
        return this.#found(Math.min(form.start, start), Math.max(form.end, end))
    }
    return this.#found(start, end, kind, value)
  }

  next(from: number): Found | undefined {
    for (let at = from; ; ) {
      const match = this.#exec(heads, at)
      if (!match) return undefined
      at = match.index + match[0].length
      const finding = this.#read(match, from)
      if (finding) return finding
    }
  }

  #read(match: RegExpExecArray, from: number): Found | undefined {
    const [head, alias, key, token, jwt, webhook, scheme, url, pem, at, mark, name, element] = match
    const start = match.index
    const end = start + head.length
    if (alias) return { start, end, replacement: head, isCut: true }
    if (name) return this.#named(name, start, mark, end)
    if (element) return this.#element(element, end)
    const { finds } = this.#strategy
    if (key?.startsWith('phc_') && finds !== 'people') return undefined
    if (key) return this.#found(start, end, 'key')
    if (finds === 'names') return undefined
    if (token) return this.#found(start, this.#endOf(moreParts, end))
    if (webhook) return this.#found(end - webhook.length, end)
    if (jwt) return this.#jwt(start)
    if (scheme) return this.#credentials(scheme, end)
    if (url) return this.#password(end)
    if (pem) return this.#privateKey(end)
    return at && finds === 'people' ? this.#email(start, end, from) : undefined
  }

  #found(
    start: number,
    end: number,
    kind: SecretKind = 'secret',
    value = this.#text.slice(start, end),
  ): Found | undefined {
    if (start === end) return undefined
    return { start, end, replacement: this.#strategy.replace(value, kind, undefined, true) }
  }

  /** Where the match of an expression ends that begins at a place. The place itself without one */
  #endOf(expression: RegExp, at: number) {
    expression.lastIndex = at
    return expression.test(this.#text) ? expression.lastIndex : at
  }

  #match(expression: RegExp, at: number) {
    return this.#text.slice(at, this.#endOf(expression, at))
  }

  #exec(expression: RegExp, at: number): RegExpExecArray | null {
    expression.lastIndex = at
    return expression.exec(this.#text)
  }

  /** A JSON Web Token. Without two dots after the first word, no other one begins within it. */
  #jwt(start: number): Found | undefined {
    if (start < this.#plain.jwt) return undefined
    const token = this.#match(webToken, start)
    if (token.split('.', 3).length === 3) return this.#found(start, start + token.length)
    this.#plain.jwt = start + token.search(/\.|$/)
    return undefined
  }

  /** A token after `Bearer`, `Basic` or `Authorization: SCHEME`. An ordinary word, as in "Bearer authentication", is shorter and has no digit. */
  #credentials(scheme: string, start: number): Found | undefined {
    const word = this.#match(credential, start)
    const isBasic = /basic$/i.test(scheme) && passwordOf(word) !== undefined
    const isSecret = /\d|^[^=]{20}/.test(word) || isBasic
    if (word.length >= 8 && isSecret) return this.#found(start, start + word.length)
    if (!scheme.includes(':')) return undefined
    const parameters = this.#match(digest, start).replace(/[, ]+$/, '')
    return this.#found(start, start + parameters.length)
  }

  /** The password in a URL, `https://user:password@host/`, in which some write `/`, or a token in the place of a user. After a port, a path begins. */
  #password(start: number): Found | undefined {
    const from = this.#endOf(userForm, start)
    if (from === start) return undefined
    if (this.#text[from - 1] === ':') {
      const end = this.#endOf(passwordForm, from)
      const isOpen = end === from && this.#text.slice(from, from + 201).includes('@')
      return this.#found(from, isOpen ? this.#endOf(openPassword, from) : end)
    }
    const user = this.#text.slice(start, from - 1)
    const isToken = user.length >= 16 && /\d/.test(user) && !hasAlias(user)
    return isToken ? this.#found(start, from - 1) : undefined
  }

  /** A private key in PEM or of PGP, with its headers. */
  #privateKey(start: number): Found | undefined {
    const mark = this.#text.indexOf('-----', start)
    const inner = this.#text.slice(start, mark < 0 ? undefined : mark)
    const [, lead = '', body = ''] = /^((?:\s|\\[nr])*)([\w+/=\s\\:,.()-]*)/.exec(inner) ?? []
    const from = start + lead.length
    return this.#found(from, from + body.length)
  }

  /** An e-mail address, also in a query. What precedes the sign is read back to the last secret, and no sign is in it. */
  #email(start: number, end: number, from: number): Found | undefined {
    const last = this.#endOf(domainForm, end)
    const [, local = ''] = this.#exec(localForm, start) ?? []
    const first = Math.max(from, start - local.length)
    const address = last === end || first === start ? undefined : this.#found(first, last, 'email')
    return address && { ...address, isCut: true }
  }

  /** The value of a name: `name=value`, as in a query, `name="value"`, `'name': 'value'`, and `name: value` if that is no ordinary word. */
  #named(written: string, sign: number, mark = '', at: number): Found | undefined {
    const [text, findReplace] = [this.#text, this.#findReplace]
    if (!findReplace || at <= this.#plain.key) return undefined
    const quote = this.#match(quoteForm, at)
    const start = at + quote.length
    const isParameter = text.slice(sign - written.length, at) === `${written}=`
    // The sign `;` is also the end of an entity of HTML, such as a quote.
    const isPair = text[sign] === ','
    const isOfForm = mark === ';' ? isParameter : isPair || /[?&]/.test(mark)
    const find = (name: string) => findReplace(name, isOfForm)
    const replace = find(written) ?? find(written.slice(written.lastIndexOf('/') + 1))
    if (at <= this.#plain.name && !replace?.isKey) return undefined
    if (quote !== '' && !isPair) {
      if (nameField.test(written))
        this.#pair = { replace: findReplace(this.#match(pairName, start), true), end: start + 400 }
      if (replace ? !replace.isDoubtful : valueField.test(written)) {
        const end = endOfQuoted(text, start, quote)
        const ofPair = replace ?? this.#replaceOfPair(at, end)
        return ofPair ? this.#value(start, end, ofPair) : undefined
      }
    } else if (!isPair) {
      const ofPair = valueField.test(written) && start < this.#pair.end ? this.#pair.replace : null
      const certain = replace?.isDoubtful ? null : (replace ?? ofPair)
      const end = certain && isParameter ? this.#endOf(parameterForm, start) : start
      if (certain && /[[{]/.test(text[start] ?? '') && !/[\]}]/.test(text[end - 1] ?? ''))
        return this.#whole(start, certain)
      if (certain && isParameter) return this.#value(start, end, certain, true)
      const last = this.#endOf(numberForm, start)
      if (certain && last > start && /["'`;] ?$/.test(text.slice(sign - 2, sign)))
        return { start, end: last, replacement: this.#number(start, last) }
    }
    if (!replace || start < this.#plain.value) return undefined
    const end = this.#endOf(wordForm, start)
    const isWhole = endOfWord.test(text[end] ?? ' ')
    if (isWhole && isOpaqueValue(text.slice(start, end))) return this.#value(start, end, replace)
    this.#plain.value = end
    return undefined
  }

  /** A list or an object with a secret name: its values, not the names in it. Without an end, the rest of the text. */
  #whole(start: number, replace: Replace): Found | undefined {
    const text = this.#text
    let [shown, depth, at] = ['', 0, start]
    do {
      const quote = this.#match(quoteForm, at)
      const from = at + quote.length
      let end = quote === '' ? this.#endOf(wordInList, at) : endOfQuoted(text, from, quote)
      if (quote !== '' && /[\r\n]/.test(text[end] ?? '\n')) end = text.length
      const mark = end === at ? text.slice(at, at + 1) : ''
      depth += /[[{]/.test(mark) ? 1 : /[\]}]/.test(mark) ? -1 : 0
      const close = quote && this.#match(quoteForm, end)
      at = end + close.length + mark.length
      const isName = mark === '' && this.#endOf(signInList, at) > at
      const isNumber = quote === '' && this.#endOf(numberForm, from) === end && end > from
      const value = isNumber ? this.#number(from, end) : this.#inList(from, end, isName, replace)
      shown += quote + value + close + mark
    } while (depth > 0 && at < text.length)
    if (shown !== text.slice(start, at)) return { start, end: at, replacement: shown }
    this.#plain[replace.isKey ? 'key' : 'name'] = at
    return undefined
  }

  #inList(start: number, end: number, isName: boolean, replace: Replace) {
    const written = this.#text.slice(start, end)
    const shown = isName && !isOpaqueValue(written) ? written : replace(written, true)
    if (shown !== written) return shown.replace(endsOfValue, percentEncode)
    return applyEdits(written, findSecrets(written, this.#strategy, null))
  }

  /** A number within quotes would end a text around it. */
  #number(start: number, end: number) {
    return this.#strategy.number(this.#text.slice(start, end)).replaceAll('"', '')
  }

  #element(name: string, start: number): Found | undefined {
    const end = this.#text.indexOf('<', start)
    const replace = this.#text[end + 1] === '/' && end >= 0 ? this.#findReplace?.(name) : null
    return replace ? this.#value(start, end, replace) : undefined
  }

  /** The replacer of the name of a pair, before its value or behind it in its tag or its list. The next name is searched once. */
  #replaceOfPair(start: number, end: number): Replace | null {
    if (this.#pair.replace && start < this.#pair.end) return this.#pair.replace
    if (this.#nextName.index < end) {
      const match = this.#exec(nameBehind, end)
      const replace = this.#findReplace?.(match?.[1] ?? '', true) ?? null
      this.#nextName = { index: match?.index ?? this.#text.length, replace }
    }
    const { index, replace } = this.#nextName
    const isApart = index - end > 200 || /[<>{}]/.test(this.#text.slice(end, index))
    return isApart ? null : replace
  }

  #value(start: number, end: number, replace: Replace, isParameter = false): Found | undefined {
    const written = this.#text.slice(start, end)
    const value = isParameter ? decodeFormText(written) : written
    const shown = replace(value)
    if (shown === value) {
      this.#plain[replace.isKey ? 'key' : 'name'] = end
      return undefined
    }
    // A mask can show parts of the value. It stays one value.
    return { start, end, replacement: shown.replace(endsOfValue, percentEncode) }
  }
}

const moreParts = /(?:\.[\w-]{8,})*/y
const webToken = /eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/y
/** A sign `=` belongs to it only at its end: else it is a name with a value. In a form, a sign `+` before a scheme is a space. */
const credential =
  /[\w.~/-](?:[\w.~/-]|\+(?!(?:bearer|basic)(?:[+\s]|%20)|authorization:))*(?:=+(?![^\s"'`<>&,;)\]}]|["'`][\w%+/-]))?/iy
const digest =
  /(?:[\w-]{1,40}=(?:\\{0,8}"[^"\r\n]{0,400}"|'[^'\r\n]{0,400}'|[^\s,"'&]{1,400})(?:,[ \t]?|(?![^\s"'`/\\]))){1,20}/y
const userForm = /[^\s/?#"'<>\\:@[]*[:@]/y
const passwordForm = /[^\s/?#"'<>\\]+(?=@)/y
const openPassword = /(?!\d{1,5}[/?#])[^\s"'<>\\]{1,200}(?=@)/y
/** A token can follow an address as one more part of its domain. */
const noToken = `(?!${tokenForm.replace(/\((?!\?)/g, '(?:')})`
const domainForm = new RegExp(
  `(?:${noToken}[\\p{L}\\p{N}-]{1,63}\\.){1,10}${noToken}\\p{L}{2,63}`,
  'uy',
)
/** It begins behind an escape sequence such as `\n`. */
const localForm = /(?<=(?<!\\(?=[bfnrt]))([\p{L}\p{N}._%+'-]{1,254}))/uy
const quoteForm = new RegExp(quote, 'y')
const pairName = /[\w.[\]-]{1,100}(?=["'`&\\])/y
/** The name of a pair that follows its value: `value="…" type="text" name="csrf_token"` */
const nameBehind = new RegExp(
  `(?<![\\w.-])name(?:${quote})?\\s{0,20}[=:]\\s{0,20}(?:${quote})(${pairName.source})`,
  'gi',
)
const parameterForm = /[^\s&"'<>\\]*(?:'(?=[\w%])[^\s&"'<>\\]*)*/y
const wordInList = /[^\s"'`[\]{},:&\\]+/y
const signInList = /\s*(?::|=>)/y
const numberForm = /-?\d[\d.eE+-]*(?=[\s,}\]&"'`\\;)]|$)/y
const endsOfValue = /[\s&"'<>\\]/g
const wordForm = /[\w+/=.~-]*/y
const endOfWord = /[\s&"'`<>\\,;:()[\]{}]/

/** Where a quoted value ends: at the same quote, or without one at the end of the line. */
function endOfQuoted(text: string, start: number, quote: string) {
  const [mark, escapes] = quote.startsWith('&') ? [quote, 0] : [quote.slice(-1), quote.length - 1]
  for (let end = text.indexOf(mark, start); end >= 0; end = text.indexOf(mark, end + 1)) {
    let slashes = 0
    while (end - slashes > start && text[end - 1 - slashes] === '\\') slashes += 1
    const isEscaped = escapes === 0 ? slashes % 2 === 1 : slashes > escapes
    if (!isEscaped) return end - Math.min(slashes, escapes)
  }
  const length = text.slice(start).search(/[\r\n]/)
  return length < 0 ? text.length : start + length
}
