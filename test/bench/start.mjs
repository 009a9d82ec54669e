// From spawning a process to its first answer: the bin against a bare server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'

const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))
const bare = `require('http').createServer((request, response) => response.end('{}')).listen(4811, '127.0.0.1')`
const rounds = 15

export async function start() {
  console.log('\nStart to the first answer, understudy serve against a bare server')
  const ratios = []
  const own = []
  for (let round = -1; round < rounds; round++) {
    const floor = await untilAnswer(['-e', bare], 4811)
    const ours = await untilAnswer([bin, 'serve', '--port', '4812', '--quiet'], 4812)
    if (round < 0) continue
    ratios.push(ours / floor)
    own.push(ours)
  }
  line('milliseconds', summary(own), 'ms')
  return line('ratio', summary(ratios), '×', atMost(3))
}

async function untilAnswer(args, port) {
  const start = performance.now()
  const server = spawn(process.execPath, args, { stdio: 'ignore' })
  while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 1))
  const milliseconds = performance.now() - start
  server.kill('SIGKILL')
  await once(server, 'exit')
  return milliseconds
}

function answers(port) {
  return new Promise((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/__admin/health' }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}
