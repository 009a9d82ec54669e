// What a sandbox costs: going back and beginning at any size of the world, and memory for a thousand of them.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'
import { atMost, line, summary, timesOf } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const rounds = 500
const sizes = [1_000, 100_000, 1_000_000]

export function sandboxes() {
  console.log('\nSandboxes')
  return [...beginning(), ...keeping()].every(Boolean)
}

/** Each at every size, and how much the largest world costs more than the smallest. */
function beginning() {
  const bySize = sizes.map((size) => timesAt(size))
  return Object.keys(bySize[0]).flatMap((what) => {
    const summaries = bySize.map((times) => summary(times[what]))
    const lines = summaries.map((each, index) =>
      line(`${what} at ${sizes[index].toLocaleString('en')}`, each, 'ms', atMost(1, ' ms')),
    )
    const smallest = summaries[0].median
    const growth = summary(bySize.at(-1)[what].map((time) => time / smallest))
    return [...lines, line(`${what}: largest against smallest`, growth, '×', atMost(3))]
  })
}

/** Milliseconds of each, always of a world that was written to. */
function timesAt(size) {
  const simulator = createSimulator({ world: worldOf(size), journal: { entries: 0 } })
  const start = simulator.snapshot()
  const write = (round) =>
    simulator.world.annotations.update(((round * 7919) % size) + 1, { content: `${round}` })
  const create = () => simulator.sandboxes.delete(simulator.sandboxes.create().id)
  const operations = {
    fork: () => simulator.fork(),
    reset: () => simulator.reset(),
    restore: () => simulator.restore(start),
    'create and delete a sandbox': create,
  }
  return Object.fromEntries(
    Object.entries(operations).map(([name, run]) => [
      name,
      timesOf(rounds, (round) => write(round)).map((_, round) => {
        write(round)
        return timesOf(1, run)[0]
      }),
    ]),
  )
}

/** In a process of its own, which does nothing else. */
function keeping() {
  const file = fileURLToPath(new URL('keep-sandboxes.mjs', import.meta.url))
  const told = execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' })
  const { resident, heap, idleResident, idleHeap } = JSON.parse(told)
  const one = (value) => ({ median: value, low: value, high: value })
  return [
    line('resident memory of one idle', one(idleResident), 'KiB', atMost(50, ' KiB')),
    line('heap of one idle', one(idleHeap), 'KiB', atMost(50, ' KiB')),
    line('resident, 1,000 with ten writes each', one(resident), 'MiB', atMost(200, ' MiB')),
    line('heap, 1,000 with ten writes each', one(heap), 'MiB', atMost(200, ' MiB')),
  ]
}
