import { useEffect, useMemo } from 'preact/hooks'
import type { ClientMistake } from '../../../analysis/client-rules/rule.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { abortOf } from '../../../utils/abort.ts'
import { wait } from '../../../utils/wait.ts'
import { Loaded, Store } from './store.ts'

/** Follows a world while the component is shown. @param server the main world of the server */
export function useLiveWorld(server: Remote, remote: Remote) {
  const world = useMemo(() => {
    const state = new LiveState(server, remote)
    const journal = new LiveJournal(remote, state.refresh)
    return { remote, state, journal }
  }, [server, remote])
  useEffect(() => {
    const closing = new AbortController()
    for (const part of [world.state, world.journal]) part.follow(closing.signal)
    return () => closing.abort()
  }, [world])
  return world
}

/** Loads what all views show alike: badges, lists and forms share it, so that they agree. */
async function loadState(server: Remote, remote: Remote) {
  const [clock, faults, policies, changes, health] = await Promise.all([
    remote.clock.read(),
    remote.faults.list(),
    remote.policies.list(),
    remote.changes(),
    server.health(),
  ])
  return { clock, faults, policies, changes, health, receivedAt: performance.now() }
}

/** Milliseconds. Requests are seen at once; what the command line or a test sets is seen after this time. */
const refreshInterval = 3_000

/** A live copy of the state of a world. */
class LiveState extends Loaded<Awaited<ReturnType<typeof loadState>>> {
  readonly refresh: () => Promise<void>

  /** @param server the main world of the server, whose health is that of all worlds */
  constructor(server: Remote, remote: Remote) {
    super()
    this.refresh = () => this.load(() => loadState(server, remote))
  }

  async follow(closed: AbortSignal): Promise<void> {
    while (!closed.aborted) {
      if (!document.hidden) await this.refresh()
      await wait(refreshInterval, abortOf(closed))
    }
  }
}

const maxEntries = 1_000
const reconnectDelay = 2_000

/** A live copy of a world's journal. It reconnects after a lost connection and loads the entries it missed. */
class LiveJournal extends Store {
  /** Newest first. */
  entries: readonly JournalEntry[] = []
  state: 'connecting' | 'live' | 'lost' = 'connecting'
  error: Error | null = null
  missed = 0
  /** The mistakes of clients, also in entries that are no longer shown. Loaded with each call of `onEntries`. */
  readonly mistakes = new Loaded<ClientMistake[]>()
  /** Views reload when it changes: after an operation, and at most once per second after requests that change rows. */
  rowsVersion = 0
  readonly #remote: Remote
  readonly #reportEntries: () => void
  readonly #reportRows = throttle(() => this.reloadRows())
  /** Entries that the next frame will show. */
  #pending: JournalEntry[] = []

  /** @param onEntries called after entries arrived, at most once per second */
  constructor(remote: Remote, onEntries: () => void) {
    super()
    this.#remote = remote
    this.#reportEntries = throttle(() => {
      onEntries()
      this.mistakes.load(() => remote.journal.mistakes())
    })
  }

  async follow(closed: AbortSignal): Promise<void> {
    while (!closed.aborted) {
      try {
        await this.#followOnce(closed)
      } catch (error) {
        this.error = error as Error
      }
      if (closed.aborted) return
      this.state = 'lost'
      this.notify()
      await wait(reconnectDelay, abortOf(closed))
    }
  }

  /** Lets all views load their rows again. */
  reloadRows(): void {
    this.rowsVersion += 1
    this.notify()
  }

  /** Clears the journal on the server, too. */
  async clear(): Promise<void> {
    await this.#remote.journal.clear()
    this.entries = []
    this.missed = 0
    this.#reportEntries()
    this.notify()
  }

  /** Resolves when the server closes the connection. */
  async #followOnce(closed: AbortSignal): Promise<void> {
    const { journal } = this.#remote
    const stored = await journal.find({ limit: maxEntries })
    this.#pending = []
    this.entries = stored.toReversed()
    this.#reportEntries()
    this.#reportRows()
    const after = stored.at(-1)?.id ?? 0
    await new Promise<void>((resolve, reject) => {
      const onMissed = (count: number) => {
        this.missed += count
      }
      journal
        .follow((entry) => this.#add(entry), { after, onMissed, onError: reject, onEnd: resolve })
        .then((stop) => {
          if (closed.aborted) return stop()
          closed.addEventListener('abort', stop, { once: true })
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
      this.entries = [...arrived.reverse(), ...this.entries].slice(0, maxEntries)
      this.notify()
      this.#reportEntries()
      if (arrived.some(({ changes }) => changes.length > 0)) this.#reportRows()
    })
  }
}

/** Calls a function at most once per second. Calls during the second make one more call when it ends. */
function throttle(call: () => void): () => void {
  let isWaiting = false
  let isDue = false
  const run = async (): Promise<void> => {
    isDue = isWaiting
    if (isWaiting) return
    isWaiting = true
    call()
    await wait(1_000)
    isWaiting = false
    if (isDue) run()
  }
  return run
}
