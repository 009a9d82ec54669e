// Over HTTP with wrk: server on one core, wrk on the other, rounds of all servers in turn.
import { atLeast, line, summary } from './measure.mjs'
import { canLoad, measure, operations, rows, serving } from './wrk.mjs'

const gates = { list: atLeast(0.3), get: atLeast(0.6), patch: atLeast(0.4), create: atLeast(0.35) }
const ports = { bare: 4801, ours: 4802, stock: 4803, mounted: 4804 }

export async function standalone() {
  console.log(
    `\nStandalone at ${rows} annotations, against a bare node:http server with prepared bytes`,
  )
  if (!canLoad()) return true
  const stop = await serving(ports)
  try {
    return report(measure(ports, { rounds: 5, seconds: 2 }))
  } finally {
    stop()
  }
}

function report(rates) {
  const ratios = (ours, other, operation) =>
    summary(rates[ours][operation].map((rate, round) => rate / rates[other][operation][round]))
  const bare = (operation) =>
    `${operation} (bare: ${Math.round(summary(rates.bare[operation]).median)}/s)`
  const alone = operations.map((name) =>
    line(bare(name), ratios('ours', 'bare', name), '×', gates[name]),
  )
  console.log('\ntoExpress in a stock application, against stock Express with the same bytes')
  const mounted = operations.map((name) =>
    line(name, ratios('mounted', 'stock', name), '×', atLeast(0.7)),
  )
  return [...alone, ...mounted].every(Boolean)
}
