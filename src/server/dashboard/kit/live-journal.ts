import { ClientMistakes } from '../../../analysis/client-rules/client-mistakes.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { wait } from '../../../utils/wait.ts'
import { Store } from './hooks.ts'

const maxEntries = 1_000
const reconnectDelay = 2_000

/** A live copy of a world's journal. It reconnects after a lost connection and loads the entries it missed. */
export class LiveJournal extends Store {
  /** Newest first. */
  entries: readonly JournalEntry[] = []
  state: 'connecting' | 'live' | 'lost' = 'connecting'
  error: Error | null = null
  missed = 0
  /** The mistakes of clients, also in entries that are no longer shown. */
  mistakes: ClientMistakes = new ClientMistakes()
  /** Increases when entries arrive, at most once per second: views reload when it changes. */
  entriesVersion = 0
  /** Increases when rows change, at most once per second. */
  rowsVersion = 0
  readonly #increaseEntriesVersion = this.#throttle(() => {
    this.entriesVersion += 1
  })
  readonly #increaseRowsVersion = this.#throttle(() => {
    this.rowsVersion += 1
  })
  readonly #remote: Remote
  /** Entries that the next frame will show. */
  #pending: JournalEntry[] = []
  #isClosed = false
  #stopFollowing: () => void = () => {}

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  async follow(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#followOnce()
      } catch (error) {
        this.error = error as Error
      }
      if (this.#isClosed) return
      this.state = 'lost'
      this.notify()
      await wait(reconnectDelay)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#stopFollowing()
  }

  /** Clears the journal on the server, too. */
  async clear(): Promise<void> {
    await this.#remote.journal.clear()
    this.entries = []
    this.missed = 0
    this.mistakes = new ClientMistakes()
    this.notify()
  }

  /** Resolves when the server closes the connection. */
  async #followOnce(): Promise<void> {
    const { journal } = this.#remote
    const stored = await journal.find({ limit: maxEntries })
    this.#pending = []
    this.mistakes = new ClientMistakes()
    for (const entry of stored) this.mistakes.add(entry)
    this.entries = stored.toReversed()
    this.#increaseEntriesVersion()
    this.#increaseRowsVersion()
    const after = stored.at(-1)?.id ?? 0
    await new Promise<void>((resolve, reject) => {
      const onMissed = (count: number) => {
        this.missed += count
      }
      journal
        .follow((entry) => this.#add(entry), { after, onMissed, onError: reject, onEnd: resolve })
        .then((stop) => {
          this.#stopFollowing = stop
          if (this.#isClosed) return stop()
          this.state = 'live'
          this.error = null
          this.notify()
        }, reject)
    })
  }

  /**
   * Adds an entry with the next frame, since thousands may arrive at once. A hidden tab has no frames; its entries
   * wait until it is visible.
   */
  #add(entry: JournalEntry): void {
    this.#pending.push(entry)
    if (this.#pending.length > maxEntries) this.#pending.shift()
    if (this.#pending.length > 1) return
    requestAnimationFrame(() => {
      const arrived = this.#pending.splice(0)
      for (const entry of arrived) this.mistakes.add(entry)
      this.entries = [...arrived.reverse(), ...this.entries].slice(0, maxEntries)
      this.notify()
      this.#increaseEntriesVersion()
      if (arrived.some(({ changes }) => changes.length > 0)) this.#increaseRowsVersion()
    })
  }

  /** Makes a change at most once per second, and notifies. Calls during the second make it once more when it ends. */
  #throttle(change: () => void): () => void {
    let isWaiting = false
    let isDue = false
    const run = async (): Promise<void> => {
      isDue = isWaiting
      if (isWaiting) return
      isWaiting = true
      change()
      this.notify()
      await wait(1_000)
      isWaiting = false
      if (isDue) run()
    }
    return run
  }
}
