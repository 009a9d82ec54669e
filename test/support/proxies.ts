import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Serving, startServeProcess } from './cli/serve.ts'
import { temporaryFolder } from './files.ts'
import { freePorts } from './free-port.ts'
import { Client } from './lanes/client.ts'
import { root } from './root.ts'

export const proxies = ['nginx', 'haproxy'] as const

type ProxyName = (typeof proxies)[number]

/** Whether a proxy is installed. On Debian: apt-get install nginx haproxy */
export function isInstalled(proxy: ProxyName): boolean {
  return spawnSync(proxy, ['-v']).status === 0
}

/** Four replicas in processes of their own behind a proxy, which has the shipped configuration. */
export interface Cluster extends Client {
  readonly url: string
  /** By number, from 1: the first element is not used */
  readonly replicas: (Serving | undefined)[]
  start(number: number): Promise<void>
  kill(number: number): Promise<void>
  /** Ends a replica by SIGTERM. @returns its exit code */
  stop(number: number): Promise<number | null | undefined>
  /** What the proxy has written to its log. */
  proxyLog(): string
}

/** @param flags those of all replicas, or a function that returns those of one */
export async function startCluster(
  proxy: ProxyName,
  flags: readonly string[] | ((number: number) => readonly string[]) = [],
): Promise<Cluster> {
  const ports = await freePorts(4)
  const template = `http://127.0.0.1:${String(ports[0]).slice(0, -1)}{n}`
  const replicas: Cluster['replicas'] = []
  const start = async (number: number): Promise<void> => {
    const port = String(ports[number - 1])
    const replica = ['--replica', `${number}/4`, '--replica-url', template, '--port', port]
    const own = typeof flags === 'function' ? flags(number) : flags
    replicas[number] = await startServeProcess([...replica, ...own])
  }
  await Promise.all([1, 2, 3, 4].map(start))
  const { url, proxyLog } = await startProxy(proxy, ports)
  const kill = async (number: number): Promise<void> => {
    await replicas[number]?.stop('SIGKILL')
  }
  const stop = async (number: number) => (await replicas[number]?.stop('SIGTERM'))?.code
  return Object.assign(new Client(url), { url, replicas, start, kill, stop, proxyLog })
}

/** Starts a proxy with its shipped configuration. Only addresses, the port and the folder of its files are replaced. */
async function startProxy(
  proxy: ProxyName,
  ports: readonly number[],
): Promise<Pick<Cluster, 'url' | 'proxyLog'>> {
  const folder = temporaryFolder()
  const [port, pausePort] = await freePorts(2)
  mkdirSync(join(folder, 'tmp'))
  // The workers of nginx are of another user, and write bodies there.
  chmodSync(folder, 0o755)
  const isNginx = proxy === 'nginx'
  const shipped = join(root, 'src/server/deploy', isNginx ? 'nginx.conf' : 'haproxy.cfg')
  const text = readFileSync(shipped, 'utf8')
    .replace(/understudy-(\d):4010/g, (_, number) => `127.0.0.1:${ports[number - 1]}`)
    .replace(
      /(listen |bind :)8080/,
      isNginx ? `listen 127.0.0.1:${port}` : `bind 127.0.0.1:${port}`,
    )
    .replaceAll('127.0.0.1:8079', `127.0.0.1:${pausePort}`)
    .replaceAll('/tmp/', `${folder}/tmp/`)
  const file = join(folder, 'configuration')
  writeFileSync(file, text)
  const args = isNginx ? ['-p', folder, '-c', file, '-g', 'daemon off;'] : ['-f', file, '-db']
  const child = spawn(proxy, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // nginx ends its workers. With SIGKILL they would go on.
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const isReady = await fetch(`${url}/__admin/health`).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isReady) return { url, proxyLog: () => log }
    if (child.exitCode !== null) throw new Error(`${proxy} ended: ${log}`)
    await pause(20)
  }
}
