import { Buffer } from 'node:buffer'
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import process from 'node:process'
import { type Scenario, type Step, scenarioVersion } from '../../scenarios/format/scenario.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** How the names of files end that are not whole yet. */
export const partialFileSuffix = 'part'

/** How a run began: all of a scenario but its steps. */
export interface BundleHeader extends Omit<Scenario, 'steps' | 'world' | 'description'> {
  /** As JSON text, in pieces; null where it is not known */
  readonly world: Iterable<string> | null
}

/**
 * A scenario that is written as it happens, so that it may be of any length: into a file beside its own, which takes
 * its place when it is whole. What was written is there, too, where the process is killed.
 */
export class BundleFile {
  readonly file: string
  /** The file beside it. */
  readonly partialFile: string
  /** Whether the world is in it. */
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
      // It holds keys.
      this.#descriptor = openSync(this.partialFile, 'w', 0o600)
      const start = JSON.stringify({ format_version: scenarioVersion, ...head }, null, 2)
      this.#write(start.slice(0, -2))
      for (const [index, text] of [...(world ?? [])].entries()) {
        this.#write(index === 0 ? `,\n  "world": ${text}` : text)
      }
      this.#write(',\n  "steps": [')
    } catch (error) {
      throw bundleWriteError(file, error)
    }
  }

  /** How many steps are in it. */
  get steps(): number {
    return this.#steps
  }

  /** How many of them are requests. */
  get requests(): number {
    return this.#requests
  }

  /** Its length so far. */
  get bytes(): number {
    return this.#bytes
  }

  add(step: Step): void {
    // A full disk must not keep a request from its answer: it is told at the end.
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

  /** Makes the file beside it a whole scenario, as often as wanted. @throws UsageError where it cannot be written */
  complete(description: string): void {
    const end = this.#bytes
    try {
      if (this.#failure !== null) throw this.#failure
      ftruncateSync(this.#descriptor, end)
      this.#write(`\n  ],\n  "description": ${JSON.stringify(description)}\n}\n`)
      this.#bytes = end
    } catch (error) {
      throw bundleWriteError(this.file, error)
    }
  }

  /** Puts it in its place. @throws UsageError where it cannot be written */
  publish(): void {
    try {
      closeSync(this.#descriptor)
      renameSync(this.partialFile, this.file)
    } catch (error) {
      throw bundleWriteError(this.file, error)
    }
  }

  /** Leaves nothing. */
  discard(): void {
    closeSync(this.#descriptor)
    rmSync(this.partialFile, { force: true })
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    let written = 0
    while (written < bytes.length) {
      written += writeSync(
        this.#descriptor,
        bytes,
        written,
        bytes.length - written,
        this.#bytes + written,
      )
    }
    this.#bytes += bytes.length
  }
}

function bundleWriteError(file: string, error: unknown): UsageError {
  const { code, message } = error as { code?: string; message: string }
  return new UsageError(
    `Failed to write the bundle ${file}: expected a file in a folder that can be written, got ${code ?? message}.`,
  )
}
