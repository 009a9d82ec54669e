// npm run bench [part …]: ratios in one run, each with its spread and its gate. Nothing else should run beside it.
import { har } from './har.mjs'
import { inProcess } from './in-process.mjs'
import { journal } from './journal.mjs'
import { library } from './library.mjs'
import { record } from './record.mjs'
import { replay } from './replay.mjs'
import { sandboxes } from './sandboxes.mjs'
import { standalone } from './standalone.mjs'
import { start } from './start.mjs'

const control = async () => [sandboxes(), await journal()].every(Boolean)
const parts = { library, 'in-process': inProcess, standalone, start, control, replay, record, har }
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in parts))
if (unknown) {
  console.error(`Failed to bench: expected ${Object.keys(parts).join(', ')}, got ${unknown}.`)
  process.exit(2)
}

console.log(`Node ${process.version}. Medians, with the middle half of the rounds in brackets.`)
const results = []
for (const name of asked.length > 0 ? asked : Object.keys(parts)) results.push(await parts[name]())
process.exitCode = results.every(Boolean) ? 0 : 1
