import { isAscii } from 'node:buffer'
import { isObject } from '../../utils/json.ts'
import { locateError, rejectConstantInFile } from '../../utils/parse-json-text.ts'
import { placeAfter, type TextPlace } from '../../utils/python/check-json.ts'

/** In bytes. Parsing that much JSON takes a third of a millisecond. */
const batchSize = 65_536

/** In bytes. Most rows are shorter. */
const searchSize = 16_384

/** In bytes. Most worlds have less behind the rows of their last list. It is read byte by byte. */
const tailSize = 4_096

/** In bytes. How much was decoded of the bytes that stay. */
const margin = 1

/** What most rows end with, if another one follows. Nested objects and texts can contain it, too: then the next one is tried. */
const rowBorder = '},'
const maxTries = 3

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The end of a text that opens a list in the outermost object, with the name of the list. Names have few escapes: a loop
 * over any number of them overflows the stack for texts of megabytes.
 */
const namedList = /(?<!\\)("[^"\\]*(?:\\.[^"\\]*){0,99}")\s*:\s*\[$/s

/** Reads a world from chunks of its text. */
export interface WorldReader {
  /** Takes the next bytes of the text. @throws JsonParseError with the place in the whole text, or what `parse` throws */
  push(chunk: Uint8Array): void
  /** Returns the value of the text. @throws JsonParseError with the place in the text, or what `parse` throws */
  end(): unknown
  /** What was read of the text before an error. It can lack rows. */
  readonly rest: string
}

/** How a text is read. */
export interface WorldTextOptions {
  /** @param offset the place of the bytes in the text. By default, invalid UTF-8 throws a TypeError */
  readonly decode?: (bytes: Uint8Array, offset: number) => string
  /** By default `JSON.parse` */
  readonly parse?: (text: string) => unknown
  /** Parses the text of a list. By default with `parse` */
  readonly parseRows?: (list: string, text: string, parse: (text: string) => unknown) => unknown
  /** Throws for `NaN`, `Infinity` and `-Infinity`, if `parse` does. By default, they are errors of a file. */
  readonly onConstant?: (token: string, index: number) => void
  /** Returns the rows to keep in place of some rows of a list. By default the same rows */
  readonly checkRows?: (list: string, rows: readonly unknown[]) => readonly unknown[]
}

/**
 * Reads the JSON text of a world from chunks of any size. The rows of long lists are parsed in batches, and their text is
 * dropped, so that the whole text is never in memory.
 *
 * @example
 * const reader = new WorldTextReader()
 * for await (const chunk of createReadStream('world.json')) reader.push(chunk)
 * const world = reader.end() // the same value as from JSON.parse of the whole text
 */
export class WorldTextReader implements WorldReader {
  readonly #options: Required<WorldTextOptions>
  /** The bytes that were not decoded yet, behind one that was: a batch overwrites it with a bracket */
  #bytes: Buffer = Buffer.alloc(4 * batchSize)
  #size = margin
  /** Where the first of all bytes is in the text */
  #offset = -margin
  /** Where to continue in the bytes: one behind their end after a backslash */
  #at = margin
  #depth = 0
  #isInString = false
  /** The text without the batches of rows: each of them is a zero in it */
  #rest = ''
  /** The place of each zero in the rest, and of its batch in the whole text. Both are behind it. */
  readonly #cuts: { readonly index: number; readonly place: TextPlace }[] = []
  readonly #lists = new Map<string, ListInBatches>()
  /** The list around the current byte, if it is in the outermost object */
  #list: ListInBatches | null = null

  constructor(options: WorldTextOptions = {}) {
    this.#options = withDefaults(options)
  }

  push(chunk: Uint8Array): void {
    this.#append(chunk)
    this.#read(false)
  }

  #read(isEnd: boolean): void {
    let start = margin
    while (this.#at < this.#size) {
      const list = this.#at === start ? this.#list : null
      const from = isEnd ? this.#size - tailSize : start + batchSize
      if (!list || list.isScanned || from <= start) start = this.#scan(start)
      else if (!isEnd && this.#size < from + searchSize) break
      else start = this.#searchBatch(list, start, from)
    }
    const read = start - margin
    if (read > 0) this.#bytes.copyWithin(margin, start, this.#size)
    this.#size -= read
    this.#at -= read
    this.#offset += read
  }

  /** Reads bytes one by one, up to the start of a list or the end of a batch. @returns where the bytes to decode start */
  #scan(start: number): number {
    const [bytes, size] = [this.#bytes, this.#size]
    let [depth, isInString, at, end] = [this.#depth, this.#isInString, this.#at, start]
    for (; at < size && end === start; at += 1) {
      const byte = bytes[at]
      if (isInString) {
        if (byte === backslash) at += 1
        else if (byte === quote) isInString = false
      } else if (byte === quote) {
        isInString = true
      } else if (byte === openList || byte === openObject) {
        depth += 1
        if (depth !== 2) continue
        this.#openList(this.#decodeAt(start, at + 1))
        end = at + 1
      } else if (byte === closeList || byte === closeObject) {
        depth -= 1
        if (depth < 2) this.#list = null
      } else if (byte === comma && depth === 2 && at - start >= batchSize && this.#list) {
        const list = this.#list
        const text = this.#decodeRows(start, at)
        const rest = this.#rest + withComma(text)
        this.#keepRows(
          list,
          text,
          this.#locating(rest, () => this.#parseRows(list, text)),
        )
        end = at + 1
      }
    }
    this.#at = at
    this.#depth = depth
    this.#isInString = isInString
    return end
  }

  /**
   * Reads a batch of rows up to the end of one, which a native search finds. What ends elsewhere does not parse: it leaves
   * a text or a bracket of its last row open, or closes one too many. Then the list is read byte by byte from here.
   *
   * @param from where to search
   * @returns where the next row starts
   */
  #searchBatch(list: ListInBatches, start: number, from: number): number {
    let at = from
    for (let tries = 0; tries < maxTries; at += 1) {
      at = this.#bytes.indexOf(rowBorder, at)
      if (at < 0 || at + 2 >= this.#size) break
      if (!this.#isObjectNext(at + 2)) continue
      tries += 1
      try {
        const text = this.#decodeRows(start, at + 1)
        this.#keepRows(list, text, this.#parseRows(list, text))
        this.#at = at + 2
        return this.#at
      } catch {
        this.#bytes[at + 1] = comma
      }
    }
    list.isScanned = true
    return start
  }

  #isObjectNext(from: number): boolean {
    let at = from
    while ((this.#bytes[at] ?? 0) <= space && at < this.#size) at += 1
    return at < this.#size && this.#bytes[at] === openObject
  }

  end(): unknown {
    this.#read(true)
    this.#rest += this.#decodeAt(margin, this.#size)
    const value = this.#locating(this.#rest, () => this.#options.parse(this.#rest)) as Record<
      string,
      unknown
    >
    for (const [name, { rows, batches }] of this.#lists) {
      const rest = value[name]
      // Not a list if the text has the name again.
      if (!Array.isArray(rest)) continue
      value[name] = rows.concat(this.#options.checkRows(name, rest.slice(batches)))
    }
    return value
  }

  get rest(): string {
    return this.#rest
  }

  #append(chunk: Uint8Array): void {
    const size = this.#size + chunk.length
    if (size > this.#bytes.length) {
      const larger = Buffer.alloc(2 * size)
      larger.set(this.#bytes.subarray(0, this.#size))
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = size
  }

  /** Decodes rows as a list. Its brackets are in place of the byte in front of them, and of the comma behind them. */
  #decodeRows(start: number, end: number): string {
    this.#bytes[start - 1] = openList
    this.#bytes[end] = closeList
    return this.#decodeAt(start - 1, end + 1)
  }

  #decodeAt(start: number, end: number): string {
    return this.#options.decode(this.#bytes.subarray(start, end), this.#offset + start)
  }

  #openList(text: string): void {
    this.#rest += text
    const token = namedList.exec(text)?.[1]
    this.#list = null
    if (token === undefined) return
    const name = this.#locating(this.#rest, () => this.#options.parse(token)) as string
    this.#list = { name, rows: [], batches: 0, isScanned: false }
    this.#lists.set(name, this.#list)
  }

  /** @param text the rows as a list */
  #keepRows(list: ListInBatches, text: string, parsed: unknown): void {
    const rows = parsed as readonly unknown[]
    if (rows.length === 0) throw this.#locate(this.#rest + withComma(text), null)
    append(list.rows, checkAndShare(this.#options, list.name, rows))
    list.batches += 1
    // As long as the rows and the comma behind them.
    const place = placeAfter(text.slice(1), this.#placeOf(this.#rest.length))
    this.#rest += '0,'
    this.#cuts.push({ index: this.#rest.length, place })
  }

  #parseRows({ name }: ListInBatches, text: string): unknown {
    return this.#options.parseRows(name, text, this.#options.parse)
  }

  /** @param rest the text without batches, in which an error is searched */
  #locating(rest: string, parse: () => unknown): unknown {
    try {
      return parse()
    } catch (error) {
      throw this.#locate(rest, error)
    }
  }

  /** Finds the first error of the whole text in the text without batches, which are valid. */
  #locate(rest: string, thrown: unknown): unknown {
    return locateError(rest, thrown, this.#options.onConstant, (index) =>
      this.#placeOf(index, rest),
    )
  }

  #placeOf(index: number, rest: string = this.#rest): TextPlace {
    const cut = this.#cuts.findLast((earlier) => earlier.index <= index)
    return placeAfter(rest.slice(cut?.index ?? 0, index), cut?.place)
  }
}

/** The rows of a list that are parsed already. */
interface ListInBatches {
  readonly name: string
  readonly rows: unknown[]
  batches: number
  /** Whether the ends of its rows are found byte by byte */
  isScanned: boolean
}

export function withDefaults({
  decode = decodeUtf8,
  parse = JSON.parse,
  parseRows = (_, text) => parse(text),
  onConstant = rejectConstantInFile,
  checkRows = (_, rows) => rows,
}: WorldTextOptions): Required<WorldTextOptions> {
  return { decode, parse, parseRows, onConstant, checkRows }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string {
  if (!isAscii(bytes)) return decoder.decode(bytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** @param text rows as a list. @returns the rows and the comma behind them, as they are in the text */
function withComma(text: string): string {
  return `${text.slice(1, -1)},`
}

/** A function of its own, so that V8 compiles this loop alone. */
export function append(list: unknown[], rows: readonly unknown[]): void {
  for (const row of rows) list.push(row)
}

/** Returns the rows to keep in place of some parsed rows. */
export function checkAndShare(
  { checkRows }: Required<WorldTextOptions>,
  list: string,
  rows: readonly unknown[],
): readonly unknown[] {
  const checked = checkRows(list, rows)
  if (checked === rows) shareTexts(rows)
  return checked
}

/** Lets rows have the same texts as the row before them, instead of equal ones: a parser makes a new text for each. */
function shareTexts(rows: readonly unknown[]): void {
  let previous: Record<string, unknown> = {}
  for (const row of rows) {
    if (!isObject(row)) continue
    for (const field in row) {
      const value = row[field]
      if (typeof value === 'string' && value === previous[field]) row[field] = previous[field]
    }
    previous = row
  }
}
