import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { bindServer } from '../../server/bind.ts'
import type { RunningServer } from '../../server/listen.ts'
import { sendOn, toHeaderPairs } from '../../server/proxy.ts'
import type { TlsFiles } from '../../server/tls.ts'
import { createCertificates } from './certificates.ts'

/** A proxy that leads hosts to the simulator, and the variables that make a command use it. */
export interface Interception {
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

interface InterceptOptions {
  readonly hosts: readonly string[]
  /** The simulator over HTTP */
  readonly plain: RunningServer
  /** Serves the simulator over HTTPS. */
  readonly listen: (tls: TlsFiles) => Promise<RunningServer>
  /** Called once for each other host that the command asked for. */
  readonly onRefused: (host: string) => void
}

/**
 * Starts a proxy on this machine for a command with hard-coded hosts. Requests to other hosts are refused, so that
 * nothing leaves the machine by surprise.
 */
export async function startInterception(options: InterceptOptions): Promise<Interception> {
  const { hosts } = options
  const chain = await createCertificates(hosts)
  const opened: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeNext of opened.reverse()) await closeNext()
  }
  try {
    const encrypted = await options.listen(chain)
    opened.push(encrypted.close)
    const proxy = await startProxy(options, encrypted)
    opened.push(proxy.close)
    const folder = await mkdtemp(join(tmpdir(), 'understudy-'))
    opened.push(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'authorities.pem')
    const texts = [chain.authority, ...rootCertificates, ...(await readTrusted())]
    await writeFile(file, texts.join('\n'), { mode: 0o600 })
    const proxies = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NO_PROXY: withoutProxy(hosts) }
    // Node reads the proxies since 22.21 and 24.
    const trusted = trustVariables.map((name) => [name, file])
    const env = { ...bothCases(proxies), NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(trusted) }
    return { env, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Of Node, OpenSSL with Python and Go, Python's requests, and curl. Those but the first replace the usual authorities. */
const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
]

/** Reads the authorities that the user trusts by these variables. */
async function readTrusted(): Promise<string[]> {
  const files = new Set(trustVariables.flatMap((name) => process.env[name] ?? []))
  return Promise.all([...files].map((file) => readFile(file, 'utf8').catch(() => '')))
}

/** curl reads `http_proxy` in lower case only. */
function bothCases(variables: Record<string, string>): Record<string, string> {
  const entries = Object.entries(variables)
  return Object.fromEntries([...entries, ...entries.map(([name, v]) => [name.toLowerCase(), v])])
}

/** The hosts that the command reaches without the proxy: this machine, and those of the user that are not intercepted. */
function withoutProxy(hosts: readonly string[]): string {
  const { NO_PROXY = '', no_proxy = NO_PROXY } = process.env
  const names = no_proxy.split(',').map((name) => name.trim())
  const kept = names.filter((name) => {
    const suffix = name.toLowerCase().replace(/^\*?\.?/, '')
    const covers = (host: string) => host === suffix || host.endsWith(`.${suffix}`)
    return suffix !== '' && !hosts.some(covers)
  })
  return ['localhost', '127.0.0.1', '::1', ...kept].join(',')
}

async function startProxy(
  { hosts, plain, onRefused }: InterceptOptions,
  encrypted: RunningServer,
): Promise<{ url: string; close(): Promise<void> }> {
  const refused = new Set<string>()
  const tunnels = new Set<Duplex>()
  const track = (socket: Duplex): Duplex => {
    tunnels.add(socket)
    return socket.once('close', () => tunnels.delete(socket))
  }
  const isRefused = (name: string): boolean => {
    const host = name.replace(/\.$/, '')
    if (hosts.includes(host)) return false
    if (!refused.has(host)) onRefused(host)
    refused.add(host)
    return true
  }
  const simulator = new URL(plain.url)
  const server = http.createServer((request, response) => {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url as string) : null
    if (!url || isRefused(url.hostname)) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal)
      return
    }
    sendOn(request, response, {
      target: simulator,
      path: url.pathname + url.search,
      headers: toHeaderPairs(request.rawHeaders),
    }).catch(() => response.destroy())
  })
  server.on('connect', ({ url = '' }: IncomingMessage, client: Duplex, head: Buffer) => {
    const [, host = '', port] = /^(.*):(\d+)$/.exec(url.toLowerCase()) ?? []
    track(client).on('error', () => client.destroy())
    if (isRefused(host)) {
      const text = `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\n\r\n${refusal}`
      client.end(text, () => client.destroy())
      return
    }
    const target = port === '80' ? plain : encrypted
    const upstream = track(connect(target.port, '127.0.0.1'))
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.write(head)
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    client.pipe(upstream).pipe(client)
  })
  const { port } = await bindServer(server, 0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const socket of tunnels) socket.destroy()
      }),
  }
}

const refusal = 'Only the hosts of --intercept are reached through this proxy.\n'
