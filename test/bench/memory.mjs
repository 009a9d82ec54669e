// How much memory this process needs, once what is not needed is let go: run with --expose-gc.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Bytes: of the whole process, and of what its objects and buffers take. The least of several looks, since what is
 * free goes back to the system in its own time.
 */
export async function settled() {
  const looks = []
  for (let round = 0; round < 6; round++) {
    globalThis.gc()
    await sleep(100)
    looks.push(process.memoryUsage())
  }
  return {
    resident: Math.min(...looks.map(({ rss }) => rss)),
    heap: Math.min(...looks.map(({ heapUsed, external }) => heapUsed + external)),
  }
}

export function inMiB({ resident, heap }) {
  const rounded = (bytes) => Math.round(bytes / 1024 ** 2)
  return `${rounded(resident)} MiB resident (${rounded(heap)} MiB of it objects)`
}
