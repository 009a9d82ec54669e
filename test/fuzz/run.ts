import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isLong } from '../support/long.ts'

/** Requests of one simulator. After them a new one begins, so that a failure can be replayed in seconds. */
export const roundSize = 1_000

/**
 * The seed of the first round. Each further round adds one. `FUZZ_SEED` replays a round. The short runs of CI always send
 * the same requests.
 */
export function firstSeed(): { readonly seed: number; readonly isReplay: boolean } {
  const { FUZZ_SEED } = process.env
  if (FUZZ_SEED !== undefined) return { seed: Number(FUZZ_SEED), isReplay: true }
  return { seed: isLong ? Date.now() % 1_000_000_000 : 1, isReplay: false }
}

export interface Budget {
  /** Requests, unless the time ends first */
  readonly requests: number
  readonly seconds: number
  /** False if each round also creates a document and its validators, which take memory that is not freed. */
  readonly isHeapChecked?: boolean
}

/** Runs rounds with one seed each, until the budget is used up, and prints the numbers. */
export async function runRounds(
  name: string,
  { requests, seconds, isHeapChecked = true }: Budget,
  round: (seed: number) => Promise<number>,
): Promise<void> {
  const { seed, isReplay } = firstSeed()
  const start = performance.now()
  const isOver = () => performance.now() - start > seconds * 1_000
  let sent = 0
  let rounds = 0
  let warm = 0
  console.info(`${name}: FUZZ_SEED=${seed}`)
  do {
    sent += await round(seed + rounds).catch((error) => {
      console.info(`${name}: FUZZ_SEED=${seed + rounds} replays the failure`)
      throw error
    })
    rounds += 1
    if (warm === 0 && rounds >= 10 && sent >= requests / 10) warm = heapMiB()
    if (rounds % 50 === 0) console.info(`${name}: ${sent} requests, ${heapMiB()} MiB`)
  } while (!isReplay && sent < requests && !isOver())
  const duration = Math.round((performance.now() - start) / 1_000)
  const end = heapMiB()
  console.info(`${name}: ${sent} requests, ${duration} s, heap ${warm} to ${end} MiB`)
  // Rounds share nothing, so memory does not grow with their number.
  if (isHeapChecked && warm > 0 && rounds > 30 && end > warm * 1.05 + 4)
    throw new Error(`The heap grew from ${warm} to ${end} MiB.`)
}

/** The heap after a full collection. */
export function heapMiB(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20)
}

/** Rejects if nothing comes for this long. A machine under load can keep a response for seconds. */
const hangMs = 10_000

/**
 * Waits for a response. The server has some more turns of the event loop, in case this process was not running.
 *
 * @param what the awaited event, for the message
 */
export async function withoutHang<T>(pending: Promise<T>, what = 'response'): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`No ${what} within ${hangMs} ms.`))
    timer = setTimeout(() => {
      timer = setTimeout(fail, 200)
    }, hangMs)
  })
  try {
    return await Promise.race([pending, hang])
  } finally {
    clearTimeout(timer)
  }
}
