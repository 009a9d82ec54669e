// What keeping a record costs: throughput with the journal on against off, and memory over a million requests.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atLeast, atMost, line, one, summary } from './measure.mjs'
import { canLoad, measure, operations, ratios, serving } from './wrk.mjs'

const requests = Number(process.env.REQUESTS ?? 1_000_000)

export async function journal(options) {
  const results = [await throughput(options), memory()]
  return results.every(Boolean)
}

/** Each round against its neighbour: the machine has slow and quick minutes. */
async function throughput(options) {
  console.log('\nJournal on against off, standalone')
  if (!canLoad()) return true
  const { servers, stop } = await serving(['ours', 'unjournalled'], 100_000)
  try {
    const { ours, unjournalled } = await measure(servers, options)
    return operations
      .map((name) => {
        const off = Math.round(summary(unjournalled[name].map(({ rate }) => rate)).median)
        const on = summary(ratios(ours[name], unjournalled[name]))
        return line(`${name} (off: ${off}/s)`, on, '×', atLeast(0.85))
      })
      .every(Boolean)
  } finally {
    await stop()
  }
}

/** In a process of its own. It is flat where the second half neither grows nor shrinks by more than a tenth. */
function memory() {
  console.log(`\nMemory over ${requests.toLocaleString('en')} requests, sampled at ten points`)
  const file = fileURLToPath(new URL('keep-asking.mjs', import.meta.url))
  // Space for new objects that is always the same: it would come and go by 20 MiB otherwise.
  const flags = ['--expose-gc', '--min-semi-space-size=16', '--max-semi-space-size=16']
  const told = execFileSync(process.execPath, [...flags, file, String(requests)], {
    encoding: 'utf8',
  })
  const samples = JSON.parse(told)
  return ['resident', 'heap']
    .map((what) => {
      const mebibytes = samples.map((sample) => sample[what] / 1024 ** 2)
      console.log(`  ${what}, MiB: ${mebibytes.map((value) => value.toFixed(0)).join(' ')}`)
      const last = mebibytes.slice(-5)
      const spread = Math.max(...last) / Math.min(...last)
      return line(`${what}: most against least of the last five`, one(spread), '×', atMost(1.1))
    })
    .every(Boolean)
}
