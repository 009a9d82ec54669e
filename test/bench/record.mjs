// What recording adds to a request: the same reads, alone and through the proxy, in rounds that take turns.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'

const bin = fileURLToPath(new URL('../../dist/understudy.js', import.meta.url))
const handOn = fileURLToPath(new URL('hand-on.mjs', import.meta.url))
const headers = { authorization: 'Bearer phx_all' }
const rounds = 15
/** Rounds that are not counted: after about a thousand requests the engines of all three processes have optimised. */
const early = 10
const perRound = 100

export async function record() {
  console.log(`\nRecording, ${(rounds + early) * perRound * 2} requests one after another`)
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  const file = join(folder, 'recorded.json')
  const target = await began(
    [bin, 'serve', '--port', '0', '--quiet', '--json'],
    /"url":"(http:[^"]+)/,
  )
  const args = ['--target', target.url, '--port', '0', '--out', file, '--har', join(folder, 'har')]
  const proxy = await began([bin, 'record', ...args], /at (http:\S+)/)
  const bare = await began([handOn, target.url], /at (http:\S+)/)
  const agent = new Agent({ keepAlive: true })
  const results = []
  try {
    for (const [what, path] of [
      ['one row', '/api/projects/1/annotations/1/'],
      ['a page', '/api/projects/1/annotations/'],
    ]) {
      const [direct, handed, added, cold] = [[], [], [], []]
      for (let round = -early; round < rounds; round++) {
        const alone = await medianOf(target.url + path, agent)
        const on = await medianOf(bare.url + path, agent)
        const through = await medianOf(proxy.url + path, agent)
        if (round < 2 - early) cold.push(through - alone)
        if (round < 0) continue
        direct.push(alone)
        handed.push(on - alone)
        added.push(through - alone)
      }
      line(`${what}, asked directly`, summary(direct), 'ms')
      line(`${what}, added by handing it on alone`, summary(handed), 'ms')
      line(`${what}, added by recording the first ${cold.length * perRound}`, summary(cold), 'ms')
      results.push(line(`${what}, added by recording it`, summary(added), 'ms', atMost(1, ' ms')))
    }
    console.log(`  the file has ${(statSync(file).size / 1e6).toFixed(1)} MB at the end`)
    return results.every(Boolean)
  } finally {
    agent.destroy()
    const all = [proxy, bare, target]
    for (const { child } of all) child.kill('SIGINT')
    await Promise.all(all.map(({ ended }) => ended))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of the middle one of many requests. */
async function medianOf(url, agent) {
  const times = []
  for (let index = 0; index < perRound; index++) {
    const start = performance.now()
    await ask(url, agent)
    times.push(performance.now() - start)
  }
  return summary(times).median
}

function ask(url, agent) {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume().on('end', resolve)
    })
      .on('error', reject)
      .end()
  })
}

/** A command, once it prints where it listens. */
async function began(args, pattern) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise((resolve) => {
    let text = ''
    child.stdout.on('data', (data) => {
      text += data
      const match = pattern.exec(text)
      if (match) resolve(match[1])
    })
  })
  return { child, url, ended }
}
