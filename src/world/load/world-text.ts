import { isObject } from '../../utils/json.ts'
import { rejectConstantInFile } from '../../utils/parse-json-text.ts'
import {
  checkJson,
  type JsonParseError,
  placeAfter,
  type TextPlace,
} from '../../utils/python/check-json.ts'

/** In bytes. Parsing that much JSON takes a third of a millisecond. */
const batchSize = 65_536

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * The end of a text that opens a list in the outermost object, with the name of the list. Names have few escapes: a loop
 * over any number of them overflows the stack for texts of megabytes.
 */
const namedList = /(?<!\\)("[^"\\]*(?:\\.[^"\\]*){0,99}")\s*:\s*\[$/s

/** How a text is read. */
export interface WorldTextOptions {
  /** Called with all bytes, once and in order. By default, invalid UTF-8 is replaced, as `readFile` does it. */
  readonly decode?: (bytes: Uint8Array) => string
  /** By default `JSON.parse` */
  readonly parse?: (text: string) => unknown
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
export class WorldTextReader {
  readonly #decode: (bytes: Uint8Array) => string
  readonly #parse: (text: string) => unknown
  readonly #onConstant: (token: string, index: number) => void
  readonly #checkRows: (list: string, rows: readonly unknown[]) => readonly unknown[]
  /** The bytes that were not decoded yet */
  #bytes: Uint8Array = new Uint8Array(4 * batchSize)
  #size = 0
  /** Where to continue in the bytes: one behind their end after a backslash */
  #at = 0
  #depth = 0
  #isInString = false
  /** The text without the batches of rows: each of them is a zero in it */
  #rest = ''
  /** The place of each zero in the rest, and of its batch in the whole text. Both are behind it. */
  readonly #cuts: { readonly index: number; readonly place: TextPlace }[] = []
  readonly #lists = new Map<string, ListInBatches>()
  /** The list around the current byte, if it is in the outermost object */
  #list: ListInBatches | null = null

  constructor({
    decode = decodeUtf8,
    parse = JSON.parse,
    onConstant = rejectConstantInFile,
    checkRows = (_, rows) => rows,
  }: WorldTextOptions = {}) {
    this.#decode = decode
    this.#parse = parse
    this.#onConstant = onConstant
    this.#checkRows = checkRows
  }

  /** Takes the next bytes of the text. @throws JsonParseError with the place in the whole text, or what `parse` throws */
  push(chunk: Uint8Array): void {
    this.#append(chunk)
    const [bytes, size] = [this.#bytes, this.#size]
    let [depth, isInString, start, at] = [this.#depth, this.#isInString, 0, this.#at]
    for (; at < size; at += 1) {
      const byte = bytes[at]
      if (isInString) {
        if (byte === backslash) at += 1
        else if (byte === quote) isInString = false
      } else if (byte === quote) {
        isInString = true
      } else if (byte === openList || byte === openObject) {
        depth += 1
        if (depth !== 2) continue
        this.#openList(bytes.subarray(start, at + 1))
        start = at + 1
      } else if (byte === closeList || byte === closeObject) {
        depth -= 1
        if (depth < 2) this.#list = null
      } else if (byte === comma && depth === 2 && at - start >= batchSize && this.#list) {
        this.#readBatch(this.#list, bytes.subarray(start, at + 1))
        start = at + 1
      }
    }
    if (start > 0) bytes.copyWithin(0, start, size)
    this.#size = size - start
    this.#at = at - start
    this.#depth = depth
    this.#isInString = isInString
  }

  /** Returns the value of the text. @throws JsonParseError with the place in the text, or what `parse` throws */
  end(): unknown {
    this.#rest += this.#decode(this.#bytes.subarray(0, this.#size))
    const value = this.#tryToParse(this.#rest, this.#rest) as Record<string, unknown>
    for (const [name, { rows, batches }] of this.#lists) {
      const rest = value[name]
      // Not a list if the text has the name again.
      if (!Array.isArray(rest)) continue
      value[name] = rows.concat(this.#checkRows(name, rest.slice(batches)))
    }
    return value
  }

  /** What was read so far, without rows. */
  get rest(): string {
    return this.#rest
  }

  #append(chunk: Uint8Array): void {
    const size = this.#size + chunk.length
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(2 * size)
      larger.set(this.#bytes.subarray(0, this.#size))
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = size
  }

  #openList(bytes: Uint8Array): void {
    const text = this.#decode(bytes)
    this.#rest += text
    const token = namedList.exec(text)?.[1]
    this.#list = null
    if (token === undefined) return
    const name = this.#tryToParse(token, this.#rest) as string
    this.#list = { name, rows: [], batches: 0 }
    this.#lists.set(name, this.#list)
  }

  /** @param bytes rows, and the comma behind them */
  #readBatch(list: ListInBatches, bytes: Uint8Array): void {
    const text = this.#decode(bytes)
    const rows = this.#tryToParse(`[${text.slice(0, -1)}]`, this.#rest + text) as unknown[]
    if (rows.length === 0) throw this.#locate(this.#rest + text, null)
    for (const row of this.#checkRows(list.name, rows)) {
      shareTexts(row, list.rows.at(-1))
      list.rows.push(row)
    }
    list.batches += 1
    const place = placeAfter(text, this.#placeOf(this.#rest.length))
    this.#rest += '0,'
    this.#cuts.push({ index: this.#rest.length, place })
  }

  #tryToParse(json: string, rest: string): unknown {
    try {
      return this.#parse(json)
    } catch (error) {
      throw this.#locate(rest, error)
    }
  }

  /** Finds the first error of the whole text in the text without batches, which are valid. */
  #locate(rest: string, thrown: unknown): unknown {
    try {
      checkJson(rest, this.#onConstant)
      return thrown
    } catch (error) {
      const { index } = error as JsonParseError
      if (index === undefined) return error
      return (error as JsonParseError).at(this.#placeOf(index, rest))
    }
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
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Lets a row have the same texts as the row before it, instead of equal ones: a parser makes a new text for each. */
function shareTexts(row: unknown, previous: unknown): void {
  if (!isObject(row) || !isObject(previous)) return
  for (const field in row) {
    const value = row[field]
    if (typeof value === 'string' && value === previous[field]) row[field] = previous[field]
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}
