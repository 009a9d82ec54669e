import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { wait } from '../../../utils/wait.ts'
import { Store } from './hooks.ts'

/** As many as the journal keeps itself. */
const maxEntries = 1_000
const reconnectDelay = 2_000

/** The journal of a world as it grows. A connection that broke is made again, and what came in between is there. */
export class LiveJournal extends Store {
  /** The newest first. */
  entries: readonly JournalEntry[] = []
  state: 'connecting' | 'live' | 'lost' = 'connecting'
  /** Why it was lost. */
  error: Error | null = null
  /** How many entries came too fast to be seen. */
  missed = 0
  /** Counted up when there are more entries, and when rows were changed: once a second at most, as others then ask. */
  entriesVersion = 0
  rowsVersion = 0
  readonly #arrived = new ThrottledCall(1_000, () => {
    this.entriesVersion += 1
    this.notify()
  })
  readonly #written = new ThrottledCall(1_000, () => {
    this.rowsVersion += 1
    this.notify()
  })
  readonly #remote: Remote
  #coming: JournalEntry[] = []
  /** Whether a frame was asked for. */
  #isAwaited = false
  #isEnded = false
  #stop: () => void = () => {}

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  /** Follows until it is ended. */
  async follow(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await this.#followOnce()
      } catch (error) {
        this.error = error as Error
      }
      if (this.#isEnded) return
      this.state = 'lost'
      this.notify()
      await wait(reconnectDelay)
    }
  }

  close(): void {
    this.#isEnded = true
    this.#stop()
  }

  async clear(): Promise<void> {
    await this.#remote.journal.clear()
    this.entries = []
    this.missed = 0
    this.notify()
  }

  async #followOnce(): Promise<void> {
    const { journal } = this.#remote
    const kept = await journal.find({ limit: maxEntries })
    this.#coming = []
    this.entries = kept.reverse()
    this.#arrived.run()
    this.#written.run()
    const after = kept[0]?.id ?? 0
    await new Promise<void>((resolve, reject) => {
      const options = {
        after,
        onMissed: (count: number) => {
          this.missed += count
        },
        onError: reject,
        onEnd: resolve,
      }
      journal
        .follow((entry) => this.#add(entry), options)
        .then((stop) => {
          this.#stop = stop
          if (this.#isEnded) return stop()
          this.state = 'live'
          this.error = null
          this.notify()
        }, reject)
    })
  }

  /**
   * Entries may come by the thousand: they are drawn together, once a frame. A tab that nobody looks at has no
   * frames, and keeps what it will show.
   */
  #add(entry: JournalEntry): void {
    this.#coming.push(entry)
    if (this.#coming.length > maxEntries) this.#coming.shift()
    if (this.#isAwaited) return
    this.#isAwaited = true
    requestAnimationFrame(() => {
      this.#isAwaited = false
      const coming = this.#coming.splice(0)
      this.entries = [...coming.reverse(), ...this.entries].slice(0, maxEntries)
      this.notify()
      this.#arrived.run()
      if (coming.some(({ changes }) => changes.length > 0)) this.#written.run()
    })
  }
}

/** Does something whenever it is asked to, but not all the time: what is asked for too soon is done once, later. */
class ThrottledCall {
  readonly #rest: number
  readonly #act: () => void
  #isResting = false
  #isDue = false

  /** @param rest milliseconds between one time and the next */
  constructor(rest: number, act: () => void) {
    this.#rest = rest
    this.#act = act
  }

  run(): void {
    if (this.#isResting) {
      this.#isDue = true
      return
    }
    this.#isResting = true
    this.#isDue = false
    this.#act()
    wait(this.#rest).then(() => {
      this.#isResting = false
      if (this.#isDue) this.run()
    })
  }
}
