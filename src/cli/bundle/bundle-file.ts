import { Buffer } from 'node:buffer'
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import process from 'node:process'
import { type Scenario, type Step, scenarioVersion } from '../../scenarios/format/scenario.ts'
import { unwritableFileError } from '../unwritable-file.ts'

/** The suffix of files that are being written. */
export const partialFileSuffix = 'part'

/** The start of a run: a scenario without its steps. */
export interface BundleHeader extends Omit<Scenario, 'steps' | 'world' | 'description'> {
  /** JSON text in pieces; null if the world is not known */
  readonly world: Iterable<string> | null
}

/**
 * Writes a scenario of any length while a run goes on, to a partial file that is renamed when it is complete. If the
 * process is killed, the partial file stays.
 */
export class BundleFile {
  readonly file: string
  readonly partialFile: string
  readonly hasWorld: boolean
  readonly #descriptor: number
  #steps = 0
  #requests = 0
  #bytes = 0
  #failure: unknown = null

  /** @throws UsageError for a file that cannot be written */
  constructor(file: string, { world, ...head }: BundleHeader) {
    this.file = file
    this.hasWorld = world !== null
    this.partialFile = `${file}.${process.pid}.${partialFileSuffix}`
    try {
      // Only for its owner, because it contains keys.
      this.#descriptor = openSync(this.partialFile, 'w', 0o600)
      const start = JSON.stringify({ format_version: scenarioVersion, ...head }, null, 2)
      this.#write(start.slice(0, -2))
      for (const [index, text] of [...(world ?? [])].entries()) {
        this.#write(index === 0 ? `,\n  "world": ${text}` : text)
      }
      this.#write(',\n  "steps": [')
    } catch (error) {
      throw unwritableFileError(file, error)
    }
  }

  /** The number of steps. */
  get steps(): number {
    return this.#steps
  }

  /** The number of steps that are requests. */
  get requests(): number {
    return this.#requests
  }

  /** The length so far. */
  get bytes(): number {
    return this.#bytes
  }

  add(step: Step): void {
    // A full disk must not affect the response to a request. `complete` reports it.
    if (this.#failure !== null) return
    try {
      const text = JSON.stringify(step, null, 2).replaceAll('\n', '\n    ')
      this.#write(`${this.#steps === 0 ? '' : ','}\n    ${text}`)
      this.#steps += 1
      if ('method' in step) this.#requests += 1
    } catch (error) {
      this.#failure = error
    }
  }

  /** Completes the partial file. Can be called again with another description. @throws UsageError if writing failed */
  complete(description: string): void {
    const end = this.#bytes
    try {
      if (this.#failure !== null) throw this.#failure
      ftruncateSync(this.#descriptor, end)
      this.#write(`\n  ],\n  "description": ${JSON.stringify(description)}\n}\n`)
      this.#bytes = end
    } catch (error) {
      throw unwritableFileError(this.file, error)
    }
  }

  /** Renames the partial file. @throws UsageError if that is not possible */
  publish(): void {
    try {
      closeSync(this.#descriptor)
      renameSync(this.partialFile, this.file)
    } catch (error) {
      throw unwritableFileError(this.file, error)
    }
  }

  /** Removes the partial file. */
  discard(): void {
    closeSync(this.#descriptor)
    rmSync(this.partialFile, { force: true })
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    let written = 0
    while (written < bytes.length) {
      const rest = bytes.length - written
      written += writeSync(this.#descriptor, bytes, written, rest, this.#bytes + written)
    }
    this.#bytes += bytes.length
  }
}
