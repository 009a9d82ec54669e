import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import type { ClientRun, RunClient } from '../../analysis/variants/sweep.ts'
import { failToWrite } from '../../utils/files.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'

interface StateJson {
  readonly kind: 'understudy sweep'
  /** What the sweep is of: hashes of the command and of each flag, by name */
  readonly of: Readonly<Record<string, string>>
  readonly complete: boolean
  /** By variant and attempt */
  readonly runs: Readonly<Record<string, ClientRun>>
}

/** The runs of a sweep in a file, so that an interrupted sweep goes on where it ended. */
export class SweepState {
  readonly #file: string
  readonly #of: StateJson['of']
  readonly #runs: Map<string, ClientRun>
  /** How many runs of the file are used again. */
  readonly resumed: number
  #saving: Promise<void> = Promise.resolve()

  private constructor(file: string, of: StateJson['of'], runs: StateJson['runs']) {
    this.#file = file
    this.#of = of
    // The command may have been mended since. Runs without a change show it first, and then failures.
    const kept = Object.entries(runs).filter(
      ([key, { failure }]) => failure === null && !key.startsWith(`${unchanged} #`),
    )
    this.#runs = new Map(kept)
    this.resumed = this.#runs.size
  }

  /**
   * Opens a file. Of an incomplete sweep, the runs that passed with another service are used again.
   *
   * @param parts what the sweep is of, by name: the command and the flags that decide the result
   * @throws UsageError for the file of another sweep, any other file, and a file that cannot be written
   */
  static async open(file: string, parts: Readonly<Record<string, unknown>>): Promise<SweepState> {
    const entries = Object.entries(parts)
    const of = Object.fromEntries(entries.map(([name, value]) => [name, hash(value)]))
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      return failToWrite(file)(error)
    })
    const json = text.trim() === '' ? null : tryParseJson(text)?.value
    if (json !== null && !isState(json)) {
      throw new UsageError(`${file} is not the state of a sweep. Choose another file for --state.`)
    }
    if (json && !json.complete) {
      // Earlier versions wrote a text.
      const before: StateJson['of'] = isObject(json.of) ? json.of : {}
      const names = Object.keys({ ...of, ...before }).filter((name) => before[name] !== of[name])
      const differing = names.slice(0, 3).join(', ')
      if (differing !== '') {
        throw new UsageError(
          `${file} has the state of another sweep: ${differing} ${names.length === 1 ? 'differs' : 'differ'}. Choose another file for --state, or delete it.`,
        )
      }
    }
    const state = new SweepState(file, of, json && !json.complete ? json.runs : {})
    await state.#save(false)
    return state
  }

  /** Returns a runner that takes known runs from the file, and adds others to it. */
  remember(run: RunClient, signal: AbortSignal): RunClient {
    return async (variant, attempt) => {
      const key = `${variant?.id ?? unchanged} #${attempt}`
      const known = this.#runs.get(key)
      if (known) return known
      const result = await run(variant, attempt)
      // The signal may have ended the command.
      if (signal.aborted) return result
      // The output may have secrets.
      this.#runs.set(key, { ...result, output: '' })
      await this.#save(false)
      return result
    }
  }

  /** Marks the sweep as complete, so that the next one starts anew. */
  complete(): Promise<void> {
    return this.#save(true)
  }

  #save(complete: boolean): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      const runs = Object.fromEntries(this.#runs)
      const json: StateJson = { kind: 'understudy sweep', of: this.#of, complete, runs }
      const partial = `${this.#file}.partial`
      await writeFile(partial, JSON.stringify(json)).catch(failToWrite(this.#file))
      await rename(partial, this.#file).catch(failToWrite(this.#file))
    })
    return this.#saving
  }
}

const unchanged = 'unchanged'

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
    .slice(0, 16)
}

function isState(value: unknown): value is StateJson {
  return isObject(value) && value.kind === 'understudy sweep' && isObject(value.runs)
}
