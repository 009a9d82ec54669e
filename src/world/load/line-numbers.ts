import type { Issue } from '../../utils/usage-error.ts'
import { bisect } from '../table/chunk.ts'
import type { WorldJson } from '../world-json.ts'

/** Values in lines of a file: rows of a list from an index on, or a single value. */
interface Run {
  readonly index: number
  readonly line: number
  /** Whether all of them are in this line. Otherwise each row is in the line behind the one before it. */
  readonly isOneLine: boolean
}

/** In which line of a file, from 1, the parts of a world are. Rows in consecutive lines take no memory. */
export class LineNumbers {
  readonly #runs = new Map<string, Run[]>()

  /** @param index the index of a row that is a line of its own */
  addRow(list: string, index: number, line: number): void {
    const last = this.#runs.get(list)?.at(-1)
    const isNext = last?.isOneLine === false && index - last.index === line - last.line
    if (!isNext) this.#add(list, { index, line, isOneLine: false })
  }

  /** @param index the index of its first row, for a list that gets rows */
  addField(field: string, index: number, line: number): void {
    this.#add(field, { index, line, isOneLine: true })
  }

  #add(field: string, run: Run): void {
    const runs = this.#runs.get(field)
    if (runs) runs.push(run)
    else this.#runs.set(field, [run])
  }

  /** The line of a field of a world, or of a row of its list. */
  lineOf(field: string, at = 0): number | undefined {
    const runs = this.#runs.get(field) ?? []
    // Blank lines between rows make a run of each row, and a message can have thousands of issues.
    const next = bisect(0, runs.length, (position) => (runs[position] as Run).index > at)
    const run = runs[next - 1]
    return run && run.line + (run.isOneLine ? 0 : at - run.index)
  }

  /** Adds the line to an issue of a world. */
  locate(issue: Issue): Issue {
    const [field, index] = issue.path
    const line = this.lineOf(String(field), typeof index === 'number' ? index : 0)
    return line === undefined ? issue : { ...issue, line }
  }
}

/** In the registry, because the factories are a bundle of their own. */
const lineNumbers = Symbol.for('understudy.lineNumbers')

/** Stores the line numbers of a world in it. They are not enumerable: they are no part of its content. */
export function withLineNumbers(world: WorldJson, lines: LineNumbers | undefined): WorldJson {
  return lines ? Object.defineProperty(world, lineNumbers, { value: lines }) : world
}

/** The line numbers of a world that was read from lines. */
export function lineNumbersOf(world: unknown): LineNumbers | undefined {
  return (world as { [lineNumbers]?: LineNumbers } | null | undefined)?.[lineNumbers]
}
