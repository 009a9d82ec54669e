/** What keeps something of the requests to a world: its journal, its changes, and rules about its clients. */
export interface Keeper {
  /** Gives up what it has kept for longest. @returns false if it has nothing */
  giveUp(): boolean
}

/** Says how many bytes more are kept, or fewer. */
export type Take = (bytes: number) => void

interface KeptWorld {
  readonly keepers: Keeper[]
  bytes: number
  hasEnded: boolean
}

/** The least budget: several worlds with the usual limits. */
const minBytes = 64 * 1024 * 1024

/** How many journals of the largest size there is room for. */
const fullJournals = 4

/**
 * What is kept of requests to a simulator and all its sandboxes. They share one budget, in bytes: beyond it, the world that had
 * no request for longest gives up its oldest entries. The limits of each world hold besides.
 */
export class Memory {
  readonly #limit: number
  readonly #onFull: () => void
  /** The world without a request for longest first */
  readonly #worlds = new Map<object, KeptWorld>()
  #latest: object | undefined
  #bytes = 0
  #isFull = false

  /** @param journalBytes the largest size of one journal @param onFull called once, when the budget is used up */
  constructor(journalBytes: number, onFull: () => void) {
    this.#limit = Math.max(minBytes, fullJournals * journalBytes)
    this.#onFull = onFull
  }

  /** What to know of entries that are not there. Empty as long as there was room for all */
  get sentence(): string {
    if (!this.#isFull) return ''
    const size = Math.floor(this.#limit / 2 ** 20)
    return `All journals have more than ${size} MiB together, so the world without a request for longest gives up its oldest entries.`
  }

  /** Counts what a keeper of a world has. */
  open(world: object, keeper: Keeper): Take {
    const kept = this.#worlds.get(world) ?? { keepers: [], bytes: 0, hasEnded: false }
    this.#worlds.set(world, kept)
    kept.keepers.push(keeper)
    return (bytes) => {
      if (kept.hasEnded) return
      kept.bytes += bytes
      this.#bytes += bytes
      if (bytes > 0 && this.#bytes > this.#limit) this.#makeRoom()
    }
  }

  /** Says that a world has a request. */
  use(world: object): void {
    const kept = this.#worlds.get(world)
    if (world === this.#latest || !kept) return
    this.#latest = world
    this.#worlds.delete(world)
    this.#worlds.set(world, kept)
  }

  /** Forgets a world that ended. */
  leave(world: object): void {
    const kept = this.#worlds.get(world)
    if (!kept) return
    kept.hasEnded = true
    if (world === this.#latest) this.#latest = undefined
    this.#bytes -= kept.bytes
    this.#worlds.delete(world)
  }

  #makeRoom(): void {
    for (const { keepers } of this.#worlds.values()) {
      for (const keeper of keepers) {
        while (this.#bytes > this.#limit && keeper.giveUp());
      }
      if (this.#bytes <= this.#limit) break
    }
    if (this.#isFull) return
    this.#isFull = true
    this.#onFull()
  }
}
