import { maxIssues } from '../../utils/issues.ts'
import { isObject } from '../../utils/json.ts'
import { locateError } from '../../utils/parse-json-text.ts'
import { placeAfter, type TextPlace } from '../../utils/python/check-json.ts'
import { once, unknownFields } from '../../utils/schema-issues.ts'
import { type Issue, inspectValue } from '../../utils/usage-error.ts'
import { worldSchema } from '../schema/world-schema.ts'
import type { WorldJson } from '../world-json.ts'
import { LineNumbers, withLineNumbers } from './line-numbers.ts'
import { worldError } from './load-world.ts'
import {
  append,
  checkAndShare,
  type WorldReader,
  type WorldTextOptions,
  withDefaults,
} from './world-text.ts'

const lineFeed = 0x0a

/** In bytes. More rows at once would live longer, and be copied by the garbage collector. */
const batchSize = 65_536

/** The list whose rows are lines of their own: worlds have few rows of the others. */
const list = 'annotations'

const worldFields = once(() => new Set(Object.keys(worldSchema().shape)))

/**
 * Reads a world in NDJSON from chunks of any size. A line with a field of a world, such as `projects` or `seed`, is a part
 * of the world, whose lists are appended. Any other line is an annotation. Blank lines are ignored.
 *
 * @example
 * const reader = new WorldLinesReader()
 * reader.push(Buffer.from('{"seed":7,"projects":[{"id":1}]}\n{"id":1,"content":"Launch"}\n'))
 * reader.end() // { seed: 7, projects: [{ id: 1 }], annotations: [{ id: 1, content: 'Launch' }] }
 */
export class WorldLinesReader implements WorldReader {
  rest = ''
  readonly #options: Required<WorldTextOptions>
  /** The bytes of a line whose end was not read yet */
  #parts: Uint8Array[] = []
  #offset = 0
  /** The place of the first line that was not read yet */
  #place: TextPlace = { char: 0, line: 0, column: 0 }
  readonly #world = new Map<string, unknown>()
  readonly #lines = new LineNumbers()
  readonly #issues: Issue[] = []

  constructor(options: WorldTextOptions = {}) {
    this.#options = withDefaults(options)
  }

  push(chunk: Uint8Array): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start + batchSize) + 1 || chunk.lastIndexOf(lineFeed) + 1
      if (end <= start) break
      this.#parts.push(chunk.subarray(start, end))
      this.#read(Buffer.concat(this.#parts.splice(0)))
      start = end
    }
    // A copy: the next chunk can overwrite this one. A slice of a `Buffer` is none.
    if (start < chunk.length) this.#parts.push(Uint8Array.from(chunk.subarray(start)))
  }

  /** @throws UsageError for lines that are no objects, and for a value that two lines have */
  end(): WorldJson {
    this.#read(Buffer.concat(this.#parts))
    if (this.#issues.length > 0) throw worldError(this.#issues)
    if (this.#world.size === 0) this.#parse('', '', 0)
    return withLineNumbers(Object.fromEntries(this.#world), this.#lines)
  }

  #read(bytes: Uint8Array): void {
    const text = this.#options.decode(bytes, this.#offset)
    let start = 0
    let number = this.#place.line
    let rows: unknown[] = []
    const flush = () => {
      if (rows.length > 0) this.#append(list, rows)
      rows = []
    }
    for (const line of text.split('\n')) {
      number += 1
      const value = isBlank.test(line) ? undefined : this.#parse(line, text, start)
      start += line.length + 1
      if (value === undefined) continue
      if (!isObject(value)) {
        this.#refuse({
          path: [],
          line: number,
          text: `expected an object, got ${inspectValue(value)}`,
        })
      } else if (isPart(value)) {
        flush()
        this.#addPart(value, number)
      } else {
        this.#lines.addRow(list, this.#listOf(list).length + rows.length, number)
        rows.push(value)
      }
    }
    flush()
    this.#place = placeAfter(text, this.#place)
    this.#offset += bytes.length
  }

  #parse(line: string, text: string, start: number): unknown {
    const { parse, onConstant } = this.#options
    try {
      return parse(line)
    } catch (error) {
      this.rest = line
      const placeOf = (index: number) => placeAfter(text.slice(0, start + index), this.#place)
      throw locateError(line, error, onConstant, placeOf)
    }
  }

  #addPart(part: Record<string, unknown>, line: number): void {
    for (const [field, value] of Object.entries(part)) {
      const earlier = this.#world.get(field)
      if (!worldFields().has(field)) {
        const [unknown] = unknownFields([field], [...worldFields()])
        if (unknown) this.#refuse({ path: [], line, ...unknown })
      } else if (Array.isArray(value) && (earlier === undefined || Array.isArray(earlier))) {
        this.#lines.addField(field, this.#listOf(field).length, line)
        this.#append(field, value)
      } else if (this.#world.has(field)) {
        const where = `line ${this.#lines.lineOf(field)}`
        const text = Array.isArray(earlier)
          ? `expected an array, as in ${where}, got ${inspectValue(value)}`
          : `${where} has a value, too. Keep one of them.`
        this.#refuse({ path: [field], line, text })
      } else {
        this.#lines.addField(field, 0, line)
        this.#world.set(field, value)
      }
    }
  }

  #append(field: string, rows: readonly unknown[]): void {
    const checked = checkAndShare(this.#options, field, rows)
    const before = this.#world.get(field)
    if (before === undefined) this.#world.set(field, [...checked])
    // The schema refuses what is no list.
    else if (Array.isArray(before)) append(before, checked)
  }

  #listOf(field: string): readonly unknown[] {
    const rows = this.#world.get(field)
    return Array.isArray(rows) ? rows : []
  }

  #refuse(issue: Issue): void {
    if (this.#issues.length < maxIssues) this.#issues.push(issue)
  }
}

const isBlank = /^[ \t\r]*$/

/** A single list is a part whose name may be misspelt: no annotation is only a list. */
function isPart(value: Record<string, unknown>): boolean {
  const fields = worldFields()
  let count = 0
  let last: unknown
  for (const field in value) {
    if (fields.has(field)) return true
    count += 1
    last = value[field]
  }
  return count === 1 && Array.isArray(last)
}
