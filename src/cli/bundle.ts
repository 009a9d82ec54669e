import { Buffer } from 'node:buffer'
import { closeSync, createReadStream, ftruncateSync, openSync, renameSync, rmSync } from 'node:fs'
import process from 'node:process'
import { type Step, scenarioVersion } from '../scenarios/format/scenario.ts'
import { readScenario } from '../scenarios/library.ts'
import type { RecordedStart } from '../scenarios/recording/capture-run.ts'
import type { HiddenKeys, StepSink } from '../scenarios/recording/recorder.ts'
import { createSimulator } from '../simulator.ts'
import { failToWrite } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { createSync, formatCount, writeAll } from './output.ts'

export const partialFileSuffix = 'part'

/** The number of steps, or of missing parts, that a message lists. */
const maxListed = 10
/** In milliseconds. */
const checkTimeLimit = 10_000
/** The largest bundle that is checked, because it is read into memory. */
const maxCheckedBytes = 64 * 1024 * 1024

/**
 * A scenario of any length that is written while a run goes on: to a partial file, which is renamed when it is complete.
 * If the process is killed, the partial file stays.
 */
export class Bundle implements StepSink {
  readonly #file: string
  readonly #partialFile: string
  readonly #hasWorld: boolean
  #descriptor: number
  readonly #omitted = new Set<string>()
  #steps = 0
  #requests = 0
  #bytes = 0
  #failure: unknown = null
  #isOpen = true
  #keys: HiddenKeys | null = null

  /** @throws UsageError for a file that cannot be written */
  constructor(file: string, { world, ...head }: RecordedStart) {
    this.#file = file
    this.#partialFile = `${file}.${process.pid}.${partialFileSuffix}`
    this.#hasWorld = world !== null
    if (world === null) this.omit('the world of the target, which is unknown')
    try {
      this.#descriptor = createSync(this.#partialFile)
      const start = JSON.stringify({ format_version: scenarioVersion, ...head }, null, 2)
      this.#write(start.slice(0, -2))
      for (const [index, text] of [...(world ?? [])].entries()) {
        this.#write(index === 0 ? `,\n  "world": ${text}` : text)
      }
      this.#write(',\n  "steps": [')
    } catch (error) {
      throw failToWrite(file)(error)
    }
  }

  open(keys: HiddenKeys): void {
    this.#keys = keys
  }

  add(step: Step): void {
    // A full disk must not affect the response to a request. `finish` reports it.
    if (this.#failure !== null) return
    try {
      const text = formatJson(step, '    ')
      this.#write(`${this.#steps === 0 ? '' : ','}\n    ${text}`)
      this.#steps += 1
      if ('method' in step) this.#requests += 1
    } catch (error) {
      this.#failure = error
    }
  }

  omit(part: string): void {
    this.#omitted.add(part)
  }

  /** Completes the file, replays it once, and notes what it cannot reproduce. @returns messages for the user */
  async finish(): Promise<string[]> {
    if (this.#requests === 0) {
      this.discard()
      return [`${this.#file} was not written, because there were no requests.`]
    }
    const notes = [...this.#omitted]
      .slice(0, maxListed)
      .map((part) => `The bundle does not contain ${part}.`)
    try {
      if (this.#failure !== null) throw this.#failure
      if (this.#keys?.hasKnown) await this.#hideKeys(this.#keys)
      this.#complete(notes)
      const doubts = this.#hasWorld ? await this.#check() : []
      notes.push(...doubts)
      if (doubts.length > 0) this.#complete(notes)
      this.#close()
      renameSync(this.#partialFile, this.#file)
    } catch (error) {
      throw failToWrite(this.#file)(error)
    }
    return [
      `Wrote ${formatCount(this.#requests, 'request')} with responses to ${this.#file}. Replay them with: npx understudy-api replay ${this.#file}. Write a test of them with: npx understudy-api import ${this.#file} --as vitest`,
      ...notes.map((note) => `${this.#file}: ${note}`),
    ]
  }

  discard(): void {
    this.#close()
    rmSync(this.#partialFile, { force: true })
  }

  /** Replaces keys in the world and in the steps before the request that showed them. No key spans two lines. */
  async #hideKeys(keys: HiddenKeys): Promise<void> {
    const former = this.#descriptor
    const hidden = `${this.#file}.${process.pid}.h.${partialFileSuffix}`
    this.#descriptor = createSync(hidden)
    this.#bytes = 0
    let rest = ''
    try {
      for await (const text of createReadStream(this.#partialFile, 'utf8')) {
        const lines = rest + text
        const end = lines.lastIndexOf('\n') + 1
        this.#write(keys.replaceKnown(lines.slice(0, end)))
        rest = lines.slice(end)
      }
      this.#write(keys.replaceKnown(rest))
    } finally {
      closeSync(former)
    }
    this.#close()
    renameSync(hidden, this.#partialFile)
    this.#descriptor = openSync(this.#partialFile, 'r+')
    this.#isOpen = true
  }

  /** Writes the end of the scenario, behind which nothing is written later except another end. */
  #complete(notes: readonly string[]): void {
    const end = this.#bytes
    const counts = `Requests: ${this.#requests}. Changes: ${this.#steps - this.#requests}. In the order in which they ran.`
    ftruncateSync(this.#descriptor, end)
    this.#write(`\n  ],\n  "description": ${JSON.stringify([counts, ...notes].join(' '))}\n}\n`)
    this.#bytes = end
  }

  /** Replays the bundle in this process. Describes steps with other responses, and steps that were not checked. */
  async #check(): Promise<string[]> {
    const differing: number[] = []
    let checked = 0
    const startedAt = performance.now()
    const timeout = new Error('The time limit is reached.')
    if (this.#bytes <= maxCheckedBytes) {
      const onStep = ({ step, outcome }: { step: number; outcome: string }): void => {
        checked += 1
        if (outcome !== 'passed') differing.push(step)
        if (performance.now() - startedAt > checkTimeLimit) throw timeout
      }
      const scenario = await readScenario(this.#partialFile)
      await createSimulator()
        .replay(scenario, { decide: false, onStep })
        .catch((error) => {
          if (error !== timeout) throw error
        })
    }
    const doubts: string[] = []
    if (differing.length > 0) {
      const numbers = differing.slice(0, maxListed).join(', ')
      const more = differing.length > maxListed ? ' …' : ''
      doubts.push(
        `Replayed one after another, ${differing.length} of ${this.#steps} steps get other responses (${numbers}${more}). ` +
          'They ran at the same time as others, or depend on something that is not in the bundle.',
      )
    }
    if (checked < this.#steps) {
      doubts.push(`Only the first ${checked} of ${this.#steps} steps were checked.`)
    }
    return doubts
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    writeAll(this.#descriptor, [bytes], this.#bytes)
    this.#bytes += bytes.length
  }
}
