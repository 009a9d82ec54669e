// withSimulator beside a static handler in setupServer, with the Node of this process and msw 2, and with Node 24 and
// both msw. Projects are installed from the registry.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, line, summary } from './measure.mjs'
import { installNode } from './other-node.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = fileURLToPath(new URL('fetch-cost.mjs', import.meta.url))

export function stacks({ rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'))
  try {
    return compare(folder, rounds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare(folder, rounds) {
  const packed = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)
  const tarball = join(folder, JSON.parse(packed)[0].filename)
  const two = createProject(folder, tarball, 'msw@2.15')
  const three = createProject(folder, tarball, 'msw@3')
  const newer = installNode('24')
  const run = (node, cwd) =>
    JSON.parse(execFileSync(node, ['fetch-cost.mjs', String(rounds)], { cwd, encoding: 'utf8' }))

  console.log(
    '\nCPU time of withSimulator against a static handler with the same bytes in setupServer',
  )
  const own = run(process.execPath, two)
  const [besideTwo, besideThree] = [run(newer, two), run(newer, three)]
  const ratios = ({ withSimulator, setupServer }) =>
    summary(withSimulator.map((cost, round) => cost / setupServer[round]))
  const lines = Object.keys(own).flatMap((name) => [
    [`${name}: this Node, msw 2.15`, ratios(own[name])],
    [`${name}: Node 24, msw 2.15`, ratios(besideTwo[name])],
    [`${name}: Node 24, msw 3`, ratios(besideThree[name])],
  ])
  return lines.map(([what, ratio]) => line(what, ratio, '×', atMost(2))).every(Boolean)
}

function createProject(folder, tarball, msw) {
  const project = join(folder, msw)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  npm(project, 'install', tarball, msw, ...flags)
  copyFileSync(script, join(project, 'fetch-cost.mjs'))
  return project
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
