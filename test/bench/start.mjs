// From spawning a process to its first answer: the bin against a bare server.
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'
import { answers, launch } from './processes.mjs'

const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))
const bare = `require('http').createServer((request, response) => response.end('{}')).listen(4811, '127.0.0.1')`

export async function start({ rounds }) {
  console.log('\nStart to the first answer, understudy serve against a bare server')
  const ratios = []
  const own = []
  for (let round = -1; round < rounds * 3; round++) {
    const floor = await untilAnswer(['-e', bare], 4811)
    const ours = await untilAnswer([bin, 'serve', '--port', '4812', '--quiet'], 4812)
    if (round < 0) continue
    ratios.push(ours / floor)
    own.push(ours)
  }
  line('milliseconds', summary(own), 'ms')
  return line('ratio', summary(ratios), '×', atMost(2.3))
}

async function untilAnswer(args, port) {
  const url = `http://127.0.0.1:${port}/__admin/health`
  const server = await launch([process.execPath, ...args], () => answers(url))
  await server.stop()
  return server.milliseconds
}
