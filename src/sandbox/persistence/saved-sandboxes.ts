import process from 'node:process'
import { UsageError } from '../../utils/usage-error.ts'
import { nextTurn } from '../../utils/wait.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { exportWorldText } from '../../world/load/export-world.ts'
import { fixtureNames } from '../../world/load/read-world.ts'
import type { Sandbox } from '../sandbox.ts'
import { offerFixture } from '../sandboxes/offer-fixture.ts'
import type { SandboxBase } from '../sandboxes/registry.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'
import type { SimulatorBase } from '../simulator-base.ts'
import { type LogLine, SandboxLog, toLine } from './sandbox-log.ts'
import { resumeSandbox, type SavedBase, type SavedSandbox, saveSandbox } from './sandbox-state.ts'

/** How long a restore keeps other events waiting, in milliseconds. */
const maxBlockingMs = 5

/** A simulator whose sandboxes can be saved. */
export interface SandboxesHost {
  readonly sandbox: Sandbox
  readonly sandboxes: Sandboxes<SimulatorBase>
}

/** How many numbers of sandboxes are reserved at once: those of sandboxes that were never saved are not used again. */
const reservedAtOnce = 10_000

/**
 * Saves the sandboxes of a simulator in a file: those that changed, and of each of them what differs from the world that
 * it was created from. A start has them back, with their ids, keys, rows, policies, clocks, faults and second actors.
 * Their journals and snapshots end with the server.
 */
export class SavedSandboxes {
  readonly #simulator: SandboxesHost
  readonly #log: SandboxLog
  readonly #onChange: () => void
  /** The world that the simulator started with */
  readonly #start: LoadedWorld
  readonly #digests = new WeakMap<LoadedWorld, Promise<string>>()
  /** The sandboxes that changed since they were saved. True for those that ended */
  #unsaved = new Map<string, boolean>()
  /** The lines of sandboxes that could not be restored: they stay in the file. */
  #lostLines: readonly string[] = []
  #reserved = 0
  #lines: readonly LogLine[] = []
  #exists = false
  readonly #stops: (() => void)[] = []

  constructor(simulator: SandboxesHost, file: string, onChange: () => void) {
    this.#simulator = simulator
    this.#log = new SandboxLog(file)
    this.#onChange = onChange
    this.#start = simulator.sandbox.initial
  }

  /** Reads the file, and changes nothing yet. @throws UsageError for a file of another kind or of a later version */
  async read(): Promise<void> {
    this.#lines = await this.#log.read()
    this.#exists = this.#lines.length > 0
  }

  /**
   * Restores the sandboxes of the file that was read, and starts to follow changes.
   *
   * @returns warnings about those that could not be restored. They stay in the file
   */
  async start(): Promise<string[]> {
    const lines = this.#lines
    this.#lines = []
    const { sandboxes } = this.#simulator
    const existing = sandboxes.list().map(({ id }) => id)
    for (const { record } of lines) {
      if (record && 'reserved' in record) this.#reserved = record.reserved
    }
    sandboxes.lastNumber = this.#reserved
    const latest = latestLines(lines)
    const saved = [...latest.values()].flatMap(({ whole }) => (whole ? [whole] : []))
    await this.#loadFixtures(saved)
    const outcomes: Lost[] = []
    const warnings: string[] = []
    saved.sort((a, b) => a.number - b.number)
    for (const one of saved) {
      const reason = await this.#restore(one)
      const line = latest.get(one.id) as LatestLine
      if (reason !== null) {
        outcomes.push({ id: one.id, keys: one.keys, reason, line: line.text })
        continue
      }
      this.#follow(one.id)
      if (line.damaged !== null) this.#touch(one.id)
      if (line.damaged === 'changed') {
        warnings.push(
          `The last save of sandbox ${one.id} in ${this.#log.file} is damaged. The save before it was restored.`,
        )
      }
    }
    const add = (id: string) => {
      this.#follow(id)
      this.#touch(id)
    }
    for (const id of existing) add(id)
    this.#stops.push(sandboxes.follow(add))
    for (const [id, { whole, keys, text }] of latest) {
      if (whole) continue
      outcomes.push({ id, keys, reason: 'its save is damaged', line: text })
    }
    const unknown = lines.filter(({ record, id }) => record === null && id === undefined)
    if (unknown.length > 0) {
      warnings.push(
        `${this.#log.file} has damaged lines that name no sandbox: ${unknown.length}. They stay in the file.`,
      )
    }
    this.#lostLines = [...unknown.map(({ text }) => text), ...outcomes.map(({ line }) => line)]
    const reasons = new Map(
      outcomes.map(({ id, reason }) => [id, `it was not restored, because ${reason}`]),
    )
    this.#simulator.sandbox.missing = {
      reasonOf: (id) => reasons.get(id),
      keys: new Map(
        outcomes.flatMap(({ id, keys, reason }) =>
          keys.map(
            (key) =>
              [
                key,
                `it is a key of sandbox ${id}, which was not restored, because ${reason}`,
              ] as const,
          ),
        ),
      ),
    }
    return [...warnings, ...describeLost(outcomes, this.#log.file)]
  }

  /** Saves what changed. @throws UsageError if that fails; then all of it is still to be saved */
  async save(): Promise<void> {
    const unsaved = this.#unsaved
    const needsNumbers = this.#needsNumbers
    if (unsaved.size === 0 && !needsNumbers) return
    this.#unsaved = new Map()
    const reserved = this.#reserved
    try {
      if (needsNumbers) this.#reserved = this.#simulator.sandboxes.lastNumber + reservedAtOnce
      const isAppended = this.#exists && !this.#log.isLong && (await this.#append(unsaved))
      if (!isAppended) await this.#replace()
    } catch (error) {
      this.#reserved = reserved
      for (const [id, hasEnded] of unsaved) {
        if (!this.#unsaved.has(id)) this.#unsaved.set(id, hasEnded)
      }
      throw error
    }
  }

  /** Stops following, and says which number was the last one. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    const { lastNumber } = this.#simulator.sandboxes
    if (this.#exists) await this.#log.append([toLine({ reserved: lastNumber })])
  }

  get #needsNumbers(): boolean {
    const { lastNumber } = this.#simulator.sandboxes
    return lastNumber > 0 && lastNumber > this.#reserved - reservedAtOnce / 2
  }

  async #append(unsaved: ReadonlyMap<string, boolean>): Promise<boolean> {
    const reserved = toLine({ reserved: this.#reserved })
    return this.#log.append([reserved, ...(await this.#toLines(unsaved))])
  }

  /** Writes the file anew, without the earlier states of sandboxes. */
  async #replace(): Promise<void> {
    const all = new Map(this.#simulator.sandboxes.list().map(({ id }) => [id, false]))
    const reserved = toLine({ reserved: this.#reserved })
    await this.#log.replace([...this.#lostLines, reserved, ...(await this.#toLines(all))])
    this.#exists = true
  }

  /** The lines of sandboxes. Other events run in between. */
  async #toLines(unsaved: ReadonlyMap<string, boolean>): Promise<string[]> {
    const lines: string[] = []
    let pause = performance.now() + maxBlockingMs
    for (const [id, hasEnded] of unsaved) {
      const record = hasEnded ? { id, keys: [], ended: true as const } : await this.#toRecord(id)
      if (record) lines.push(toLine(record))
      if (performance.now() < pause) continue
      await nextTurn()
      pause = performance.now() + maxBlockingMs
    }
    return lines
  }

  /** Undefined for a sandbox that ended meanwhile. */
  async #toRecord(id: string): Promise<SavedSandbox | undefined> {
    const { sandboxes } = this.#simulator
    const base = sandboxes.registered(id)?.base
    const saved = base && (await this.#toSavedBase(base))
    const entry = sandboxes.registered(id)
    return entry && saved && saveSandbox(entry, saved)
  }

  async #toSavedBase({ fixture, world }: SandboxBase): Promise<SavedBase> {
    const is_replaced = fixture === undefined && world !== this.#start
    return { fixture: fixture ?? null, digest: await this.#digestOf(world), is_replaced }
  }

  /** Computed once for each world. */
  #digestOf(world: LoadedWorld): Promise<string> {
    const known = this.#digests.get(world)
    if (known) return known
    const digest = Promise.resolve(digestOf(world))
    this.#digests.set(world, digest)
    return digest
  }

  async #loadFixtures(saved: readonly SavedSandbox[]): Promise<void> {
    const names = new Set(saved.map(({ base }) => base.fixture))
    for (const name of names) {
      if (name !== null && fixtureNames.includes(name)) {
        await offerFixture(this.#simulator.sandboxes, name)
      }
    }
  }

  /** @returns why a sandbox could not be restored, or null */
  async #restore(saved: SavedSandbox): Promise<string | null> {
    const { sandbox: host, sandboxes } = this.#simulator
    try {
      const { fixture, digest, is_replaced } = saved.base
      const { world } = sandboxes.baseOf(fixture ?? undefined)
      if ((await this.#digestOf(world)) !== digest) {
        if (fixture !== null) return `fixture ${fixture} has changed since`
        return is_replaced
          ? 'the world that it was created from had replaced the world of the start'
          : 'the server started with another world than the one that it was created from'
      }
      resumeSandbox(sandboxes, host, saved)
      return null
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return `this version cannot read it: ${error.message.replace(/\.$/, '')}`
    }
  }

  #follow(id: string): void {
    const { sandboxes } = this.#simulator
    const events = sandboxes.registered(id)?.sandbox.events
    const touch = () => this.#touch(id)
    for (const name of ['write', 'replace', 'clock', 'setup'] as const) events?.on(name, touch)
    events?.on('close', () => {
      this.#unsaved.set(id, true)
      this.#onChange()
    })
    // Restored sandboxes are not reserved anew.
    if (sandboxes.lastNumber > this.#reserved) this.#reserve()
  }

  #touch(id: string): void {
    this.#unsaved.set(id, false)
    this.#onChange()
  }

  /** Before the first request of the first sandbox: otherwise a `kill -9` within a second would give its key away. */
  #reserve(): void {
    const { lastNumber } = this.#simulator.sandboxes
    try {
      const reserved = lastNumber + reservedAtOnce
      this.#log.appendNow({ reserved })
      this.#reserved = reserved
      this.#exists = true
    } catch {
      // The save that follows fails, too, or reserves them.
    }
  }
}

interface Lost {
  readonly id: string
  readonly keys: readonly string[]
  readonly reason: string
  /** The line that stays in the file */
  readonly line: string
}

interface LatestLine {
  readonly whole: SavedSandbox | null
  /** Whether a later line is damaged: the file ends within it, or something changed it */
  readonly damaged: 'cut' | 'changed' | null
  readonly keys: readonly string[]
  readonly text: string
}

/** The last line of each sandbox that has not ended. */
function latestLines(lines: readonly LogLine[]): Map<string, LatestLine> {
  const latest = new Map<string, LatestLine>()
  for (const { id, record, keys, text, isCut } of lines) {
    if (id === undefined) continue
    if (record && 'ended' in record) latest.delete(id)
    else if (record) latest.set(id, { whole: record as SavedSandbox, damaged: null, keys, text })
    else {
      const damaged = isCut ? 'cut' : 'changed'
      latest.set(id, { whole: null, keys, text, ...latest.get(id), damaged })
    }
  }
  return latest
}

/** How many ids a warning lists. */
const maxListed = 10

function describeLost(lost: readonly Lost[], file: string): string[] {
  const reasons = new Set(lost.map(({ reason }) => reason))
  return [...reasons].map((reason) => {
    const ids = lost.filter((one) => one.reason === reason).map(({ id }) => id)
    const rest = ids.length > maxListed ? `, and ${ids.length - maxListed} more` : ''
    const names = `${ids.length === 1 ? 'Sandbox' : 'Sandboxes'} ${ids.slice(0, maxListed).join(', ')}${rest}`
    const [were, because, stay] =
      ids.length === 1 ? ['was', '', 'It stays'] : ['were', ', each because', 'They stay']
    return `${names} ${were} not restored from ${file}${because}: ${reason}. ${stay} in the file.`
  })
}

/** A digest of the rows of a world, of its seed and of its next ids. */
function digestOf({ tables, seed, now }: LoadedWorld): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  hash.update(exportWorldText({ tables, seed, now }))
  return hash.digest('hex').slice(0, 32)
}
